/* What the page says in words about the edits: what changed, broken rules of trees and chosen relations. */

import { printable } from "./answers.js";
import { keyOf } from "./differences.js";
import { element, rove } from "./dom.js";

/**
 * Fills a list with the differences of a sentence, as `changesOf` finds them. What others taught about a predicate names them, and
 * `undo(corrections)` is called to have it otherwise here.
 */
export function showReport(list, { arcs, roles }, { isEdited, edits, learned }, undo) {
  const taught = learned.filter(({ predicate }) => !(predicate in edits.senses || predicate in edits.roles));
  const item = ({ text, keys, of }, className) => {
    const made = element("li", { className }, text);
    Object.assign(made.dataset, { keys: keys.join("|"), ...(of && { of }) });
    const lesson = taught.find(({ predicate }) => of === keyOf({ predicate }));
    if (lesson) {
      const button = element("button", { type: "button", onclick: () => undo(lesson.corrections) }, "Undo, not here");
      made.append(`, learned from sentence${lesson.sentences.length > 1 ? "s" : ""} ${lesson.sentences.join(", ")}; `, button);
    }
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

/** What people should know: the rules of trees that this one breaks, and what edits of relations do. */
export function noticesOf(edits, brokenRules) {
  const notices = brokenRules.map((rule) => `${printable(rule)}.`);
  if (Object.keys(edits.labels).length > 0) {
    notices.push("The relations you chose are in the picture and in what you copy. They never enter the network, so they change no roles.");
  }
  return notices;
}
