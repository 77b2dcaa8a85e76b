/*
 * Pictures that the service has drawn, kept so that going back and forth needs no network.
 */

import { withoutProbabilities } from "./answers.js";
import { readSvg } from "./safe-svg.js";
import { draw } from "./service.js";

const MOST = 60;
const LARGEST = 1.75;
const NAMES = ["as drawn", "as parsed"];
const kept = new Map();

/** The text of the SVG of a picture, as `draw` gives it. */
export async function drawing(picture, signal) {
  const key = JSON.stringify(picture);
  if (!kept.has(key)) {
    const text = await draw(picture, signal);
    if (kept.size >= MOST) kept.delete(kept.keys().next().value);
    kept.set(key, text);
  }
  return kept.get(key);
}

/**
 * The picture of a sentence for a room of some pixels: its words are where they are in the model's
 * own reading, whatever the edits. `options` are `both` and `probabilities`.
 */
export function pictureOf({ own, drawn, isEdited }, options, room) {
  const shown = (answer) => (options.probabilities ? answer : withoutProbabilities(answer));
  // The larger the room, the larger the letters.
  const width = Math.floor(room / (room < 600 ? 1 : room < 900 ? 1.15 : 1.3));
  const other = isEdited ? { other: shown(own) } : {};
  return { answer: shown(drawn ?? own), ...other, overlay: true, width: Math.max(width, 100), theme: null };
}

/** The same as one picture to keep: with `both`, of two readings. */
export function fileOf(sentence, options, room) {
  const picture = { ...pictureOf(sentence, options, room), theme: "auto" };
  return sentence.isEdited && options.both ? { ...picture, overlay: false, names: NAMES } : picture;
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
