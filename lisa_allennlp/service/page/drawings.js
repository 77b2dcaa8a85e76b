/*
 * What pictures to ask of the service, and how large they are.
 */

import { readSvg } from "./safe-svg.js";

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

/** The same as one picture to keep: with `both`, of two readings, the second by its name. */
export function fileOf(sentence, options, room) {
  const picture = { ...pictureOf(sentence, options, room), theme: "auto" };
  return sentence.isEdited && options.both ? { ...picture, overlay: false, names: ["as drawn", options.start] } : picture;
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
