const SYSTEM = "(prefers-color-scheme: dark)";

/** Which colours the page has at this moment: the visitor's choice, else the system's. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen === undefined ? matchMedia(SYSTEM).matches : chosen === "dark";
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
