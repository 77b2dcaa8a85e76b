/* The keyboard on the words of the picture. The page documents these keys under "Keys". */

/**
 * `handlers` has `isPicking()`, `move(token)`, `up(token)`, `look(token)`, `pick(token)`, `drop(target)`,
 * `cancel()`, `predicate(token)`, `field(name, token)` of "label", "tag", "sense" or "roles", and `help()`.
 */
export function listenToKeys(picture, handlers) {
  picture.container.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionOf(event.key, picture, handlers);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function actionOf(key, picture, handlers) {
  const token = picture.focused;
  const moves = { ArrowLeft: token - 1, ArrowRight: token + 1, Home: 0, End: picture.words.length - 1 };
  if (key in moves) return () => handlers.move(moves[key]);
  if (key === "ArrowUp") return () => handlers.up(token);
  if (key === "?") return handlers.help;
  const name = key.toLowerCase();
  if (handlers.isPicking()) {
    if (name === "enter" || name === " ") return () => handlers.drop(token);
    if (name === "r" || name === "0") return () => handlers.drop("root");
    return name === "escape" ? handlers.cancel : null;
  }
  const fields = { l: "label", t: "tag", s: "sense", r: "roles" };
  if (name in fields) return () => handlers.field(fields[name], token);
  const actions = { enter: "look", " ": "look", h: "pick", p: "predicate", escape: "cancel" };
  return name in actions ? () => handlers[actions[name]](token) : null;
}
