/**
 * Keeps the page behind from scrolling, by a style sheet of its own: no attribute of the page is
 * touched. Returns how to let it scroll again.
 */
export function lockScroll(): () => void {
  const hasBar = innerWidth > document.documentElement.clientWidth;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:root:root:root { overflow: hidden !important; ${
      hasBar ? "scrollbar-gutter: stable !important;" : ""
    } }`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
