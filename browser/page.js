/* A text box, and the labels of its text as tables. */

import * as ort from "./ort.wasm.bundle.min.mjs";
import { Labeller } from "./labeller.js";

const [form, button, progress, status, main] =
  ["form", "button", "progress", "#status", "main"].map((name) => document.querySelector(name));
let [loaded, expected] = [0, 0];

async function read(name) {
  const response = await fetch(`model/${name}`);
  if (!response.ok) throw new Error(`model/${name}: found the answer ${response.status}; expected the file`);
  expected += Number(response.headers.get("Content-Length"));
  const count = (chunk, stream) => {
    loaded += chunk.length;
    if (expected > 0) Object.assign(progress, { max: expected, value: loaded });
    stream.enqueue(chunk);
  };
  const counted = response.body.pipeThrough(new TransformStream({ transform: count }));
  return new Uint8Array(await new Response(counted).arrayBuffer());
}

/** Shows how far the labelling is, and lets the browser draw it. */
async function showProgress(done, all) {
  Object.assign(progress, { hidden: done === all, value: done, max: all });
  await new Promise((resolve) => setTimeout(resolve));
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** A row per word: its number, tag, head and label, and its role in each frame. */
function table({ words, pos, predicted_heads: heads, predicted_dependencies: labels, verbs }) {
  const frames = verbs.map(({ verb, sense }) => sense ?? verb);
  const head = element("tr", ...["", "word", "tag", "head", "label", ...frames].map((name) => element("th", name)));
  const rows = words.map((word, i) => {
    const roles = verbs.map(({ tags }) => (tags[i] === "O" ? "" : tags[i]));
    const cells = [i + 1, word, pos[i], heads?.[i] ?? "", labels?.[i] ?? "", ...roles];
    return element("tr", ...cells.map((cell) => element("td", String(cell))));
  });
  return element("table", element("thead", head), element("tbody", ...rows));
}

try {
  // More threads need headers that static servers do not send.
  ort.env.wasm.numThreads = 1;
  const start = performance.now();
  const labeller = await Labeller.open(read, ort);
  status.textContent = `The model was loaded in ${Math.round(performance.now() - start)} ms.`;
  progress.hidden = true;
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    const asked = performance.now();
    try {
      const answers = await labeller.label(form.text.value, showProgress);
      const words = answers.reduce((sum, answer) => sum + answer.words.length, 0);
      status.textContent = `${words} words in ${Math.round(performance.now() - asked)} ms`;
      main.replaceChildren(...answers.map(table));
    } catch (error) {
      status.textContent = `This text could not be labelled: ${error.message}`;
    }
    progress.hidden = true;
    button.disabled = false;
  });
  form.text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
} catch (error) {
  progress.hidden = true;
  status.textContent = `The model could not be loaded: ${error.message}`;
}
