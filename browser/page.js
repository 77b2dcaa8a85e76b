/* A text box, and the labels of its text as tables. */

import * as ort from "./ort.wasm.bundle.min.mjs";
import { Labeller } from "./labeller.js";

const [form, button, status, main] = ["form", "button", "#status", "main"].map((name) => document.querySelector(name));

async function read(name) {
  const response = await fetch(`model/${name}`);
  if (!response.ok) throw new Error(`model/${name}: found the answer ${response.status}; expected the file`);
  return new Uint8Array(await response.arrayBuffer());
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
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    const asked = performance.now();
    const answers = await labeller.label(form.text.value);
    const words = answers.reduce((sum, answer) => sum + answer.words.length, 0);
    status.textContent = `${words} words in ${Math.round(performance.now() - asked)} ms`;
    main.replaceChildren(...answers.map(table));
    button.disabled = false;
  });
} catch (error) {
  status.textContent = `The model could not be loaded: ${error.message}`;
}
