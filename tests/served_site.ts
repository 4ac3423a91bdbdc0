import { type TestBrowser, testBrowser } from "./browser.ts";
import { createSite, freePort, serve, type Site } from "./site.ts";

/**
 * The whole app on a free port, with a browser to open it in, for the tests of one file: served
 * while they run, closed after them.
 *
 * @example
 * ```ts
 * const { site, browser } = await servedSite();
 * browser.test("the home greets", {}, async (page) => {
 *   await page.goto(site.services.surfaces.url("site", "/")!);
 * });
 * ```
 */
export async function servedSite(
  env: Record<string, string> = {},
): Promise<{ site: Site; browser: TestBrowser }> {
  const port = freePort();
  const site = await createSite({ PORT: String(port), ...env });
  const browser = testBrowser();
  let server: ReturnType<typeof serve>;
  Deno.test.beforeAll(() => {
    server = serve(site.handler, port);
  });
  Deno.test.afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  return { site, browser };
}
