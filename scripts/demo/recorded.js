/*
 * Answers the requests of the page from a recording, in place of `lisa serve`: sentences with at most
 * one head or predicate changed.
 */

const DRAWN_FOR = [330, 560];
const MISSING =
  "this demo is a recording: it has the examples, with one head or predicate changed. `lisa serve` does the rest.";

const recording = location.protocol !== "file:" && fetch("static/recording.bin").then((file) =>
  new Response(file.body.pipeThrough(new DecompressionStream("gzip"))).json(),
);

function keyOf(path, { text, sentence, corrections, picture }) {
  if (path === "info" || path.startsWith("rolesets?")) return path;
  if (path.startsWith("label?")) return `label ${text}`;
  return path === "edit" && !picture.theme ? `edit ${JSON.stringify([sentence.words, corrections])}` : null;
}

window.fetch = async (path, { body = "{}" } = {}) => {
  const asked = JSON.parse(body);
  const found = (await recording)[keyOf(path, asked)];
  if (found === undefined) return new Response(JSON.stringify({ error: MISSING }), { status: 422 });
  const size = Math.max(0, DRAWN_FOR.findLastIndex((width) => width <= asked.picture?.width));
  return new Response(JSON.stringify(found.pictures ? { picture: found.pictures[size], ...found } : found));
};

// Browsers load no modules from files.
if (location.protocol === "file:") {
  addEventListener("DOMContentLoaded", () => {
    const problem = document.querySelector(".problem");
    const folder = decodeURI(location.pathname).replace(/\/[^/]*$/, "");
    problem.querySelector("span").textContent =
      `This page needs a web server: after "python -m http.server --directory '${folder}'", open http://localhost:8000/.`;
    problem.querySelector("button").hidden = true;
    problem.hidden = false;
    document.querySelector("#ask").hidden = true;
  });
}
