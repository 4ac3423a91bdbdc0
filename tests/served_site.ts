/** Serves a test site on a real port, alone or for the browser of a file's tests. */
import type { TestBrowser } from "./browser.ts";
import { createSite, serve, type Site } from "./site.ts";

/**
 * Serves the whole app on a free port, with a browser, for the tests of one file. Both are closed
 * after the tests.
 *
 * @example
 * ```ts
 * const { site, browser } = await servedSite();
 * browser.test("the home page opens", {}, async (page) => {
 *   await page.goto(site.services.surfaces.url("site", "/")!);
 * });
 * ```
 */
export async function servedSite(
  env: Record<string, string> = {},
): Promise<{ site: Site; browser: TestBrowser }> {
  const { testBrowser } = await import("./browser.ts"); // large, and tests without a browser import this file
  const browser = testBrowser();
  const { site, ...served } = await serveOnFreePort(async ({ PORT }) => {
    const site = await createSite({ PORT, ...env });
    return { site, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
  });
  Deno.test.afterAll(async () => {
    await browser.close();
    await served[Symbol.asyncDispose]();
  });
  return { site, browser };
}

/**
 * Creates a site and serves it on a free port until it is disposed of. The port is opened first,
 * because the site needs to know it, and another process could take a port that is not open.
 */
export async function serveOnFreePort<Setup extends AsyncDisposable & { site: Site }>(
  create: (env: { PORT: string }) => Promise<Setup>,
): Promise<Setup> {
  let handler: Parameters<typeof serve>[0] = () => new Response(null, { status: 503 });
  const server = serve((req, info) => handler(req, info));
  const setup = await create({ PORT: String(server.port) });
  handler = setup.site.handler;
  return {
    ...setup,
    async [Symbol.asyncDispose]() {
      // The server waits for event streams, which the site ends.
      await Promise.all([server[Symbol.asyncDispose](), setup[Symbol.asyncDispose]()]);
    },
  };
}
