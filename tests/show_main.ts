import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import type { Site } from "./site.ts";

/**
 * Shows only the main element of another page in the page that is open, which must have the same
 * style sheet. It is faster than loading the other page. Scripts do not run.
 */
export async function showMain(
  page: Page,
  site: Site,
  [surface, path, status = 200]: readonly [surface: SurfaceName, path: string, status?: number],
): Promise<void> {
  const response = await site.request(surface, path);
  assertEquals(response.status, status, path);
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
  }, await response.text());
}
