/*
 * Python's regular expressions in JavaScript's syntax, as far as the tokenizer's rules use them.
 */

/** White space in Python, for a character class. */
export const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const WORD = "\\p{L}\\p{N}_";

/** Escapes that mean something else in Python; in a class, and elsewhere. */
const ESCAPES = {
  w: [WORD, `[${WORD}]`],
  d: ["\\p{Nd}", "\\p{Nd}"],
  S: [null, `[^${SPACE}]`],
  s: [SPACE, `[${SPACE}]`],
  b: [null, `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`],
};

/** A RegExp for one of Python's expressions, with further flags such as "y" or "g". */
export function fromPython(source, flags = "") {
  const ignoresCase = source.startsWith("(?i)");
  return new RegExp(translate(source.replace(/^\(\?[iu]\)/, "")), `u${ignoresCase ? "i" : ""}${flags}`);
}

function translate(source) {
  let translated = "";
  let inClass = false;
  // (?i:...), which older browsers lack, has letters only.
  const withGroups = source.replace(/\(\?i:([a-z]+)\)/g, (_, letters) => [...letters].map(eitherCase).join(""));
  for (let i = 0; i < withGroups.length; i++) {
    let part = withGroups[i];
    if (part === "\\") {
      const escaped = withGroups[++i];
      if (escaped in ESCAPES) part = ESCAPES[escaped][inClass ? 0 : 1];
      // JavaScript refuses escapes of characters that need none.
      else part = /[\^$\\.*+?()[\]{}|/a-zA-Z]/.test(escaped) || (escaped === "-" && inClass) ? `\\${escaped}` : escaped;
    } else if (part === "[" && !inClass) inClass = true;
    else if (part === "[") part = "\\[";
    else if (part === "]") inClass = false;
    translated += part;
  }
  return translated;
}

/** A class with the letters that Python's (?i) takes for the same one. */
function eitherCase(letter) {
  return `[${letter}${letter.toUpperCase()}${{ i: "İı", k: "\u212a", s: "ſ" }[letter] ?? ""}]`;
}
