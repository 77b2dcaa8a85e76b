/*
 * Pictures that the service has drawn, kept so that going back and forth needs no network.
 */

import { draw } from "./service.js";

const MOST = 60;
const kept = new Map();

/** The SVG of a picture, as `draw` gives it. */
export async function drawing(picture, signal) {
  const key = JSON.stringify(picture);
  if (!kept.has(key)) {
    const text = await draw(picture, signal);
    if (kept.size >= MOST) kept.delete(kept.keys().next().value);
    kept.set(key, text);
  }
  return kept.get(key);
}
