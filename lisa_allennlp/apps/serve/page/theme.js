/* Light and dark: the system's choice, or the person's. */

const KEY = "lisa-theme";

/** Follows a `select` with "auto", "light" and "dark". */
export function chooseTheme(select) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const theme = select.value === "auto" ? (system.matches ? "dark" : "light") : select.value;
    document.documentElement.dataset.theme = theme;
  };
  select.value = stored(() => localStorage.getItem(KEY)) ?? "auto";
  select.addEventListener("change", () => {
    stored(() => localStorage.setItem(KEY, select.value));
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}

/** Without storage, which some browsers refuse, the choice holds until the page is closed. */
function stored(access) {
  try {
    return access();
  } catch {
    return null;
  }
}
