/* What can be taken away: the labelled text and its picture, on the clipboard or as files. */

import { element } from "./dom.js";
import { readSvg } from "./drawings.js";
import { post } from "./service.js";

/** Pixels of PNG in a row, for a pixel of the picture. */
const SHARPNESS = 3;

/**
 * `source` has `document()`, the answer with all edits, `picture(left)`, without the parts that are
 * left out, and `link()`, which is `null` if it would be too long. `failed(error, retry)` is told of errors.
 */
export function listenToExports(root, source, failed) {
  const output = root.querySelector(".exports output");
  const left = () => [...root.querySelectorAll("[data-picture]:not(:checked)")].map(({ dataset }) => dataset.picture);
  const contentOf = (kind) => {
    if (kind === "link") return source.link();
    return ["svg", "png", "pdf"].includes(kind) ? source.picture(left()) : post(`convert?format=${kind}`, { answers: source.document() });
  };
  for (const button of root.querySelectorAll("[data-copy], [data-save]")) {
    const { copy, save: file } = button.dataset;
    const act = async () => {
      output.textContent = "";
      try {
        const content = await contentOf(copy ?? file);
        output.textContent = await (copy ? put(copy, content, button.textContent) : save(file, content));
      } catch (error) {
        failed(error, act);
      }
    };
    button.addEventListener("click", act);
  }
}

/** Puts a text on the clipboard. Browsers refuse this to pages without TLS, and to those that may not use it. */
async function put(kind, text, name) {
  if (text === null) return "The text is too long for a link.";
  try {
    await navigator.clipboard.writeText(text);
    return `Copied ${name}.`;
  } catch {
    return kind === "link" ? "The link is in the address bar." : save(kind, text);
  }
}

async function save(kind, content) {
  if (kind === "pdf") return printAlone(content);
  const name = `sentences.${kind}`;
  const address = URL.createObjectURL(new Blob([kind === "png" ? await pngOf(content) : content]));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  return `Saved ${name}.`;
}

async function pngOf(svg) {
  const image = element("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
  await image.decode();
  const canvas = element("canvas", { width: SHARPNESS * image.width, height: SHARPNESS * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

/** Opens the browser's dialog for a page of the size of a picture. */
function printAlone(svg) {
  const picture = readSvg(svg);
  const size = ["width", "height"].map((name) => `${Math.ceil(picture.getAttribute(name))}px`).join(" ");
  const sheet = element("div", { className: "sheet" }, element("style", {}, `@page { margin: 0; size: ${size}; }`), picture);
  document.body.append(sheet);
  addEventListener("afterprint", () => sheet.remove(), { once: true });
  print();
  return "The browser's dialog saves it as PDF.";
}
