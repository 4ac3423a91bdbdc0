import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";

/**
 * Shows only the main element of another page in the page that is open, which must have the same
 * style sheet. It is faster than loading the other page. Scripts do not run.
 *
 * @param response the other page, as the site returns it
 */
export async function showMain(page: Page, response: Response, status = 200): Promise<void> {
  const html = await response.text();
  assertEquals(response.status, status, html);
  await page.evaluate((html) => {
    const { documentElement, title, body } = new DOMParser().parseFromString(html, "text/html");
    const style = "link[rel=stylesheet]";
    const [shown, other] = [document, documentElement].map((root) =>
      root.querySelector(style)!.getAttribute("href")
    );
    if (shown !== other) throw new Error(`the style sheets differ: ${shown} ${other}`);
    document.title = title;
    Object.assign(document.documentElement.dataset, documentElement.dataset);
    document.body.replaceChildren(body.querySelector("main")!);
  }, html);
}
