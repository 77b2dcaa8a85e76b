/*
 * Parts of the page that are about the same arc, span or predicate light up together, when the
 * pointer or the focus is on one of them. Such parts have `data-keys`, names joined by "|"; what
 * belongs to a predicate has its name as `data-of`.
 */

import { rove } from "./dom.js";

/** Lights the parts in `root`; arrow keys move the focus in the lists of its parts. */
export function lightTogether(root) {
  const light = ({ target }) => {
    const chosen = target.closest("[data-keys]") ?? document.activeElement.closest("[data-keys]");
    for (const part of root.querySelectorAll("[data-keys]")) {
      part.classList.toggle("lit", Boolean(chosen) && belong(chosen, part));
    }
  };
  root.addEventListener("pointerover", light);
  root.addEventListener("pointerleave", light);
  root.addEventListener("focusin", light);
}

/** Lets arrow keys move the focus among the items of a container. */
export function moveByArrows(container, selector) {
  container.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const items = [...container.querySelectorAll(selector)];
    const next = items.indexOf(event.target) + step;
    if (!step || !items[next]) return;
    event.preventDefault();
    rove(items, next);
    items[next].focus();
  });
}

function belong(one, other) {
  const [keys, others] = [one, other].map((part) => part.dataset.keys.split("|"));
  return keys.some((key) => others.includes(key)) || keys.includes(other.dataset.of) || others.includes(one.dataset.of);
}
