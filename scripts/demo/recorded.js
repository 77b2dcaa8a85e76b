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

function keyOf(path, body) {
  if (path === "info") return path;
  if (body.text !== undefined) return `label ${body.text}`;
  if (body.tokens) return `label ${JSON.stringify([body.tokens, body.head_indices ?? null, body.predicates ?? null])}`;
  if (path !== "draw" || body.theme) return null;
  const { words, predicted_heads: heads, predicted_dependencies: labels, predicates } = body.answer;
  const width = DRAWN_FOR.findLast((one) => one <= body.width) ?? DRAWN_FOR[0];
  return `draw ${JSON.stringify([words, heads, labels, predicates, Boolean(body.other), width])}`;
}

window.fetch = async (path, { body } = {}) => {
  const found = (await recording)[keyOf(path.split("?")[0], JSON.parse(body ?? "{}"))];
  if (found === undefined) return new Response(JSON.stringify({ error: MISSING }), { status: 422 });
  return new Response(typeof found === "string" ? found : JSON.stringify(found));
};
