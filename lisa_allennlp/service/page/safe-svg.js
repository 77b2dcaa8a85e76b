/*
 * Reads SVG of the service. It may only contain shapes, texts and styles: no scripts, no handlers
 * and no links, whatever the words of the sentence are.
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set([
  "svg", "style", "title", "desc", "defs", "g", "rect", "path", "line", "circle", "text", "tspan",
]);
const OUTSIDE = /url\s*\(|@import|expression|javascript:/i;

/** The element `svg` of a document, ready for this page. Throws an `Error` if it is unsafe. */
export function readSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (parsed.querySelector("parsererror") || root.localName !== "svg") {
    throw new Error("The service sent a picture that is not SVG.");
  }
  for (const part of [root, ...root.querySelectorAll("*")]) check(part);
  return document.importNode(root, true);
}

/** A new SVG element. */
export function svgElement(name, attributes = {}) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function check(part) {
  if (part.namespaceURI !== NAMESPACE || !ELEMENTS.has(part.localName)) refuse(`<${part.localName}>`);
  if (part.localName === "style" && OUTSIDE.test(part.textContent)) refuse("a style with an address");
  for (const { localName, value } of part.attributes) {
    if (/^on/i.test(localName) || localName === "href") refuse(`the attribute ${localName}`);
    if (!/^(data-|aria-)/.test(localName) && OUTSIDE.test(value)) refuse(`an address in ${localName}`);
  }
}

function refuse(what) {
  throw new Error(`The service sent a picture with ${what}, which this page does not show.`);
}
