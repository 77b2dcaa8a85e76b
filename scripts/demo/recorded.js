/*
 * Answers the requests of the page from a recording, in place of `lisa serve`: sentences with at most
 * one head or predicate changed.
 */

const DRAWN_FOR = [330, 900];
const MISSING =
  "this demo is a recording: it has the examples, with one head or predicate changed. `lisa serve` does the rest.";

const recording = fetch("static/recording.json.gz").then((file) =>
  new Response(file.body.pipeThrough(new DecompressionStream("gzip"))).json(),
);

function keyOf(path, { text, sentence, corrections, picture }) {
  if (path === "info") return path;
  if (path === "label") return `label ${text}`;
  return path === "edit" && !picture.theme ? `edit ${JSON.stringify([sentence.words, corrections])}` : null;
}

window.fetch = async (path, { body = "{}" } = {}) => {
  const asked = JSON.parse(body);
  const found = (await recording)[keyOf(path.split("?")[0], asked)];
  if (found === undefined) return new Response(JSON.stringify({ error: MISSING }), { status: 422 });
  const size = Math.max(0, DRAWN_FOR.findLastIndex((width) => width <= asked.picture?.width));
  return new Response(JSON.stringify({ picture: found.pictures?.[size], ...found }));
};
