/*
 * Light and dark: the system's choice, or the person's.
 */

const KEY = "lisa-theme";

/** Follows a `select` with "auto", "light" and "dark". */
export function chooseTheme(select) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const theme = select.value === "auto" ? (system.matches ? "dark" : "light") : select.value;
    document.documentElement.dataset.theme = theme;
  };
  select.value = stored() ?? "auto";
  select.addEventListener("change", () => {
    store(select.value);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}

function stored() {
  try {
    const value = localStorage.getItem(KEY);
    return ["auto", "light", "dark"].includes(value) ? value : null;
  } catch {
    return null;
  }
}

function store(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Without storage, the choice holds until the page is closed.
  }
}
