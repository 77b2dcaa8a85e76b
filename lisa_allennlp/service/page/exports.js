/*
 * Copying the labelled text: to the clipboard or, where that is refused, as a file.
 */

import { element } from "./dom.js";
import { convert } from "./service.js";

const KINDS = {
  json: { name: "JSON", file: "sentences.json" },
  conllu: { name: "CoNLL-U", file: "sentences.conllu" },
  props: { name: "props", file: "sentences.props" },
  svg: { name: "the picture as SVG", file: "sentence.svg", type: "image/svg+xml" },
  link: { name: "the link" },
};

/**
 * `source` has `document()`, the answer with all edits, `picture()` and `link()`, which is `null` if
 * it would be too long. `failed(error, retry)` is told of errors.
 */
export function listenToCopies(root, source, failed) {
  const output = root.querySelector(".exports output");
  for (const button of root.querySelectorAll("[data-copy]")) {
    const copy = async () => {
      output.textContent = "";
      try {
        output.textContent = await copyKind(button.dataset.copy, source);
      } catch (error) {
        failed(error, copy);
      }
    };
    button.addEventListener("click", copy);
  }
}

async function copyKind(kind, source) {
  const { name, file, type = "text/plain" } = KINDS[kind];
  const text = await textOf(kind, source);
  if (text === null) return "The text is too long for a link.";
  try {
    await navigator.clipboard.writeText(text);
    return `Copied ${name}.`;
  } catch {
    // The browser refuses the clipboard to pages without TLS and to those that may not use it.
    if (!file) return "The link is in the address bar.";
    save(text, file, type);
    return `Saved ${name} as ${file}.`;
  }
}

function textOf(kind, source) {
  if (kind === "link") return source.link();
  if (kind === "svg") return source.picture();
  return convert(source.document(), kind);
}

function save(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
