/*
 * What the page says in words about the edits: what changed, cycles and chosen relations.
 */

import { arcDifferences, describeArc, describeFrame, frameDifferences, spanKey, spansOf } from "./differences.js";
import { element } from "./dom.js";
import { findCycle } from "./edits.js";
import { describeCycle } from "./words.js";

/** The differences of a drawn reading, as texts and as keys to mark. */
export function reportOf(own, drawn) {
  const arcs = arcDifferences(own, drawn);
  const frames = frameDifferences(own, drawn);
  const spansBefore = new Set((own.verbs ?? []).flatMap((verb) => keysOf(verb)));
  const spans = (drawn.verbs ?? []).flatMap((verb) => keysOf(verb)).filter((key) => !spansBefore.has(key));
  return {
    arcs: arcs.map((arc) => describeArc(arc, own)),
    roles: frames.flatMap((frame) => describeFrame(frame, own)),
    tokens: new Set(arcs.map(({ token }) => token)),
    spans: new Set(spans),
  };
}

/** Fills a list with the differences. */
export function showReport(list, { arcs, roles }) {
  const items = [
    ...arcs.map((text) => element("li", { className: "arc" }, text)),
    ...roles.map((text) => element("li", {}, text)),
  ];
  if (roles.length === 0) items.push(element("li", { className: "muted" }, "The roles are the same."));
  list.replaceChildren(...items);
}

/** The differences in roles, to be said. */
export function spokenReport({ roles }) {
  return roles.length === 0 ? "The roles are the same." : `${roles.join(". ")}.`;
}

/** What people should know of the edits: a cycle, no root or several, chosen relations. */
export function noticesOf(own, edits, heads) {
  const notices = [];
  const cycle = heads && findCycle(heads);
  if (cycle) {
    notices.push(`A cycle: ${describeCycle(cycle, own.words)}. This is no tree; the network accepts it all the same.`);
  }
  const roots = heads?.filter((head) => head === 0).length ?? 1;
  if (roots > 1) notices.push(`${roots} roots.`);
  if (Object.keys(edits.labels).length > 0) {
    notices.push("The relations you chose are in the picture and in what you copy. They never enter the network, so they change no roles.");
  }
  return notices;
}

function keysOf(verb) {
  return spansOf(verb).map((span) => spanKey(verb.index, span));
}
