/* The rolesets of words, kept, and the roles that a predicate can have, with their meanings. */

import { printable } from "./answers.js";
import { get } from "./service.js";

const kept = new Map();

/** The rolesets of a word, as `rolesets` gives them; none if the service cannot be reached. */
export function rolesetsOf(word, tag, sense) {
  const key = JSON.stringify([word, tag, sense]);
  if (!kept.has(key)) {
    const found = get("rolesets", { word, tag, sense }).catch(() => {
      kept.delete(key);
      return [];
    });
    kept.set(key, found);
  }
  return kept.get(key);
}

/** Options of names, with their meanings if these are known. */
export function options(names, meanings) {
  return names.map((name) => [name, [printable(name), meanings[name]].filter(Boolean).join(" ")]);
}

/** The roles by heading: those of the roleset, modifiers, then the others that the model knows. */
export function roleGroups({ roles: known, meanings }, roleset) {
  const meant = Object.entries(roleset?.roles ?? {})
    .map(([role, gloss]) => [known.includes(role) ? role : role.replace("ARG", "A"), gloss])
    .filter(([role]) => known.includes(role));
  const own = meant.map(([role, gloss]) => [role, `${role} ${gloss}`]);
  const modifiers = known.filter((role) => /^(ARGM|AM)-/.test(role));
  const others = known.filter((role) => !modifiers.includes(role) && !own.some(([name]) => name === role));
  return [[roleset?.sense ?? "", own], ["modifiers", options(modifiers, meanings)], ["others", options(others, meanings)]].filter(
    ([, roles]) => roles.length > 0,
  );
}
