/*
 * What the page says in words about the edits: what changed, cycles and chosen relations.
 */

import { printable } from "./answers.js";
import { arcDifferences, describeArc, describeFrame, describeTag, frameDifferences, tagDifferences } from "./differences.js";
import { element, rove } from "./dom.js";
import { findCycle } from "./edits.js";

/** The differences of a drawn reading: lists of `{text, keys, of}`. */
export function reportOf(own, drawn) {
  const tags = tagDifferences(own, drawn).map((tag) => describeTag(tag, own));
  const arcs = [...tags, ...arcDifferences(own, drawn).map((arc) => describeArc(arc, own))];
  const roles = frameDifferences(own, drawn).flatMap((frame) => describeFrame(frame, own));
  return { arcs, roles };
}

/** Fills a list with the differences. */
export function showReport(list, { arcs, roles }, isEdited) {
  const item = ({ text, keys, of }, className) => {
    const made = element("li", { className }, text);
    Object.assign(made.dataset, { keys: keys.join("|"), ...(of && { of }) });
    return made;
  };
  const items = [...arcs.map((arc) => item(arc, "arc")), ...roles.map((role) => item(role, ""))];
  rove(items, 0);
  const same = isEdited ? "The roles are the same." : "Nothing yet.";
  if (roles.length === 0) items.push(element("li", { className: "muted" }, same));
  list.replaceChildren(...items);
}

/** The differences in roles, to be said. */
export function spokenReport({ roles }) {
  return roles.length === 0 ? "The roles are the same." : `${roles.map(({ text }) => text).join(". ")}.`;
}

/** What people should know of the edits: a cycle, no root or several, chosen relations. */
export function noticesOf(own, edits, heads) {
  const notices = [];
  const cycle = heads && findCycle(heads);
  if (cycle) {
    const words = [...cycle, cycle[0]].map((token) => `${token + 1} (${printable(own.words[token])})`);
    notices.push(`A cycle: ${words.join(" → ")}. This is no tree; the network accepts it all the same.`);
  }
  const roots = heads?.filter((head) => head === 0).length ?? 1;
  if (roots > 1) notices.push(`${roots} roots.`);
  if (Object.keys(edits.labels).length > 0) {
    notices.push("The relations you chose are in the picture and in what you copy. They never enter the network, so they change no roles.");
  }
  return notices;
}
