/* Elements of the page. Texts are inserted as text, never as HTML. */

/** An HTML element with properties and children, which are elements or texts. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Says something to screen readers. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}

/** Lets Tab reach one of some elements; arrow keys should reach the others. */
export function rove(elements, chosen) {
  elements.forEach((part, number) => part.setAttribute("tabindex", number === chosen ? 0 : -1));
}

/** Whether keys at an element are text. */
export function takesText(target) {
  return target.matches?.("textarea, select, input:not([type=checkbox])");
}

/** A function that acts a while after the last of its calls, in milliseconds. */
export function later(act, wait) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
}

/** An element and its parts by selector, as a function. */
export function finder(root) {
  return (selector) => root.querySelector(selector);
}
