const SYSTEM = "(prefers-color-scheme: dark)";

/** How much of its colour lies under a line and in an area (spec 8). */
export const FILL = { line: "10%", area: "20%" } as const;

/** The grid's colour (spec 2.5): by the visitor's choice of theme, else by the system's. */
export function gridColor(): string {
  const theme = document.documentElement.dataset.theme;
  const dark = theme === undefined ? matchMedia(SYSTEM).matches : theme === "dark";
  return dark ? "rgba(255,255,255,0.06)" : "rgba(0,0,0,0.06)";
}

/**
 * Tells when the page may have changed its colours; a canvas does not follow by itself.
 *
 * @returns stops watching
 */
export function watchTheme(changed: () => void): () => void {
  const system = matchMedia(SYSTEM);
  system.addEventListener("change", changed);
  const attribute = new MutationObserver(changed);
  attribute.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", changed);
    attribute.disconnect();
  };
}
