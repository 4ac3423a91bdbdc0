import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";

/**
 * Shows only the main element of another page in the page that is open, with its style sheets. It is faster
 * than loading the other page. Scripts do not run.
 *
 * @param response the other page, as the site returns it
 */
export async function showMain(page: Page, response: Response, status = 200): Promise<void> {
  const html = await response.text();
  assertEquals(response.status, status, html);
  await page.evaluate(async (html) => {
    const { documentElement, title, body } = new DOMParser().parseFromString(html, "text/html");
    const sheetsOf = (
      root: ParentNode,
    ) => [...root.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    const [shown, others] = [sheetsOf(document), sheetsOf(documentElement)];
    const hrefOf = (link: HTMLLinkElement | undefined) => link?.getAttribute("href");
    // Those that equal are not loaded again.
    await Promise.all(others.map((other, i) => {
      if (hrefOf(shown[i]) === hrefOf(other)) return;
      const link = document.createElement("link");
      const loaded = new Promise((resolve, reject) =>
        Object.assign(link, { onload: resolve, onerror: reject })
      );
      Object.assign(link, { rel: "stylesheet", href: hrefOf(other) });
      if (shown[i] === undefined) document.head.append(link);
      else shown[i].replaceWith(link);
      return loaded;
    }));
    for (const surplus of shown.slice(others.length)) surplus.remove();
    document.title = title;
    Object.assign(document.documentElement.dataset, documentElement.dataset);
    document.body.replaceChildren(body.querySelector("main")!);
  }, html);
}
