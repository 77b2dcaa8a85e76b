/*
 * What pictures to ask of the service, and how large they are. Their texts are escaped there, and
 * the policy of the page's headers runs no scripts in them.
 */

const LARGEST = 1.75;
/** Sentences of more words have letters of the usual size, so that fewer lines are needed. */
const LONG = 25;

/**
 * The picture of a sentence for a room of some pixels: its words are in the columns of the model's
 * own reading, whatever the edits.
 */
export function pictureOf({ own }, { probabilities }, room) {
  // The larger the room, the larger the letters.
  const width = Math.floor(room / (room < 600 || own.words.length > LONG ? 1 : room < 900 ? 1.15 : 1.3));
  return { overlay: true, probabilities, theme: null, width: Math.max(width, 100) };
}

/** A clean picture to keep, without some parts: with `both`, of two readings, the second by its name. */
export function fileOf(sentence, options, room, left) {
  const { probabilities, width } = pictureOf(sentence, options, room);
  const [theme, without] = [left.includes("colours") ? "grey" : "light", left.filter((part) => part !== "colours")];
  const compared = sentence.isEdited && options.both ? { other: sentence.own, names: ["as drawn", options.start] } : {};
  return { answer: sentence.drawn, ...compared, probabilities, width, theme, without };
}

/** The element `svg` of a file, ready for this page. */
export function readSvg(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

export function svgElement(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The element `svg` of a picture, as large as the room allows. */
export function fitted(text, room) {
  const svg = readSvg(text);
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  const scale = Math.max(1, Math.min(LARGEST, room / width));
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
  return svg;
}
