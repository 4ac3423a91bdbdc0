import { assertEquals, assertRejects } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { axeViolations, becomes, testBrowser } from "./browser.ts";
import { stoppedPorts } from "./stopped_ports.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());

/** Text without enough contrast. The policy of the pages allows no styles. */
const PALE = '<p><font color="#eeeeee"> <b>Pale</b> </font></p>';

function html(body: string): Deno.HttpServer<Deno.NetAddr> {
  const headers = {
    "content-type": "text/html",
    "content-security-policy": "default-src 'none'; img-src 'self' data:; script-src 'nonce-x'",
  };
  const page = `<!DOCTYPE html><html lang="en"><head><title>Page</title></head>${body}</html>`;
  const server = Deno.serve({ port: 0, onListen() {} }, () => new Response(page, { headers }));
  stoppedPorts.delete(String(server.addr.port)); // another file's server may have had it
  return server;
}

browser.test("a page below *.localhost opens with the locale en-US", {}, async (page) => {
  await using server = html("<body><main><h1>Hello</h1></main></body>");
  await page.goto(`http://any.site.localhost:${server.addr.port}/`);
  assertEquals(await page.textContent("h1"), "Hello");
  assertEquals(await page.evaluate(() => navigator.language), "en-US");
  assertEquals(await axeViolations(page), []);
});

browser.test(
  "axeViolations() finds violations regardless of the page's policy",
  {},
  async (page) => {
    await using server = html(`<body><main><h1>Hello</h1><img src='data:,'>${PALE}</main></body>`);
    await page.goto(`http://localhost:${server.addr.port}/`);
    const violations = await axeViolations(page);
    assertEquals(violations.map((text) => text.split(":")[0]), ["color-contrast", "image-alt"]);
    assertEquals(violations[0].match(/Pale/g)?.length, 1);
  },
);

for (
  const [what, script, message] of [
    ["a console error", "console.error('broken')", "broken"],
    ["an uncaught error", "throw new Error('thrown')", "thrown"],
    ["a rejected promise", "Promise.reject(new Error('rejected'))", "rejected"],
  ]
) {
  Deno.test({
    name: `${what} fails the test unless it is expected`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using server = html(`<body><script nonce="x">${script}</script></body>`);
      const visit = (expectedErrors: RegExp[]) =>
        browser.withPage(
          { expectedErrors },
          (page) => page.goto(`http://localhost:${server.addr.port}/`),
        );
      await assertRejects(() => visit([]), Error, message);
      await visit([new RegExp(message)]);
    },
  });
}

Deno.test({
  name: "a request fails the test if the server closed the connection, unless the test stopped it",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const visit = (stopped: boolean) =>
      browser.withPage({}, async (page) => {
        const server = html("<body></body>");
        const port = String(server.addr.port);
        await page.goto(`http://localhost:${port}/`);
        if (stopped) stoppedPorts.add(port);
        await server.shutdown();
        await Promise.all([
          page.waitForEvent("requestfailed"),
          page.evaluate("new Image().src = '/late'"),
        ]);
      });
    await assertRejects(() => visit(false), Error, "net::ERR_");
    await visit(true);
  },
});

Deno.test({
  name: "a test gets the context of an earlier one, empty, unless that has changed it or failed",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using server = html("<body></body>");
    const visit = (fn: (page: Page, context: BrowserContext) => unknown = () => {}) =>
      browser.withPage({}, async (page, context) => {
        await page.goto(`http://a.localhost:${server.addr.port}/`);
        const found = await page.evaluate(() => [
          document.cookie,
          Object.keys(localStorage).length + Object.keys(sessionStorage).length,
          innerWidth,
          matchMedia("(prefers-color-scheme: dark)").matches,
        ]);
        assertEquals(found, ["", 0, 1280, false]);
        assertEquals(context.pages().length, 1);
        await fn(page, context);
        return context;
      });
    const first = await visit(async (page, context) => {
      await page.evaluate("document.cookie = 'a=1'; localStorage.a = sessionStorage.a = 1");
      await page.route("**/*", (route) => route.abort());
      await page.setViewportSize({ width: 375, height: 600 });
      await page.emulateMedia({ colorScheme: "dark" });
      await context.newPage();
    });
    const lasting: ((page: Page, context: BrowserContext) => unknown)[] = [
      (page) => page.clock.install(),
      (_, context) => context.addInitScript("document.cookie = 'b=1'"),
      (_, context) => context.route("**/*", (route) => route.abort()),
    ];
    let last = await visit();
    assertEquals(last === first, true, "the same context");
    for (const change of lasting) {
      const changed = await visit(change);
      assertEquals(changed === last, true);
      last = await visit();
      assertEquals(last === changed, false, "another context");
    }
    await assertRejects(() => visit(() => Promise.reject(new Error("failed"))), Error, "failed");
    assertEquals(await visit() === last, false, "another context after a failure");
  },
});

Deno.test("becomes() waits for the expected value, even while reading it throws", async () => {
  const shown = [new Error("navigating"), 0, 25];
  await becomes(() => {
    const next = shown.shift()!;
    if (next instanceof Error) throw next;
    return next;
  }, 25);
  assertEquals(shown, []);
});
