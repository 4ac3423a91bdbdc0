import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { testBrowser } from "../../tests/browser.ts";
import { copyOfSite } from "./site.ts";

/** A command of the site's own folder that serves it: as a person would run it. */
class Server {
  #process: Deno.ChildProcess | undefined;
  #origin: Promise<string> | undefined;

  constructor(readonly root: string, readonly args: string[]) {}

  origin(): Promise<string> {
    return this.#origin ??= this.#start();
  }

  async stop(): Promise<void> {
    this.#process?.kill();
    await this.#process?.status;
    this.#process = this.#origin = undefined;
  }

  async #start(): Promise<string> {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: this.args,
      cwd: this.root,
      env: { NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const port = Promise.withResolvers<string>();
    let said = "";
    const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) {
        said += text;
        const found = /Listening on http:\/\/[^\s/]+:(\d+)/.exec(said)?.[1];
        if (found !== undefined) port.resolve(found);
      }
      port.reject(new Error(`The server ended:\n${said}`));
    };
    read(this.#process.stdout);
    read(this.#process.stderr);
    return `http://localhost:${await port.promise}`;
  }
}

const site = await copyOfSite();
const production = new Server(site.root, ["serve", "-A", "--port=0", "_fresh/server.js"]);
const development = new Server(site.root, ["run", "-A", "dev.ts"]);
const browser = testBrowser();

Deno.test.beforeAll(async () => {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "dev.ts", "build"],
    cwd: site.root,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
});
Deno.test.afterAll(async () => {
  await browser.close();
  await production.stop();
  await development.stop();
  await site[Symbol.asyncDispose]();
});

/** A test of one page of the built site; console and page errors fail it. */
function onPage(name: string, path: string, fn: (page: Page) => Promise<void>) {
  browser.test(name, {}, async (page) => {
    const loaded: string[] = [];
    page.on("response", (response) => {
      if (!response.ok()) loaded.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${await production.origin()}${path}`);
    await fn(page);
    assertEquals(loaded, []);
  });
}

const outputs = (page: Page) => page.locator("output").allTextContents();

onPage("an island comes to life and counts", "/root", async (page) => {
  assertEquals(await outputs(page), ["1"]);
  await page.click("#root button");
  await page.click("#root button");
  assertEquals(await outputs(page), ["3"]);
  // It is the body's own child: nothing was doubled or moved.
  assertEquals(await page.locator("body > div#root").count(), 1);
});

onPage("several islands, each with its own state and props", "/islands", async (page) => {
  assertEquals(await outputs(page), ["1", "10", "5", "5"]);
  await page.click("#second button");
  assertEquals(await outputs(page), ["1", "11", "5", "5"]);
  await page.click("#first button");
  assertEquals(await outputs(page), ["2", "11", "5", "5"]);
  assertEquals(await page.textContent("#clock"), "browser");
  assertEquals(await page.getAttribute("#clock", "datetime"), "1970-01-01T00:00:00.000Z");
  assertEquals(await page.textContent("#stopped"), "alive");
  assertEquals(await page.textContent("#left"), "left alive");
  assertEquals(await page.textContent("#right"), "right alive");
  assertEquals(await page.title(), "Islands");
});

onPage("a signal given to two islands is one", "/islands", async (page) => {
  await page.click("#one button");
  assertEquals((await outputs(page)).slice(2), ["6", "6"]);
  await page.click("#two button");
  assertEquals((await outputs(page)).slice(2), ["7", "7"]);
});

onPage("hydration keeps the server's elements", "/islands", async (page) => {
  const html = await (await page.request.get(page.url())).text();
  const strip = (text: string) => text.replaceAll(/nonce="\w*"/g, "").replaceAll(/\s+/g, "");
  const served = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, "text/html").querySelector("#first")!.outerHTML,
    html,
  );
  const live = await page.locator("#first").evaluate((element) => element.outerHTML);
  assertEquals(strip(live), strip(served));
  assertEquals(await page.locator("#first").count(), 1);
});

onPage("a slot is there, and survives being hidden and shown", "/slots", async (page) => {
  const inside = async () =>
    await page.locator("#shown .inside").evaluateAll((all) => all.map((one) => one.outerHTML));
  const markup = ['<p class="inside" data-x="&quot;quoted&quot;">text &amp; more</p>'];
  assertEquals(await inside(), markup);
  assertEquals(await page.textContent("#shown em"), "shown");
  await page.click("#nested button");
  assertEquals(await page.textContent("#nested output"), "4");
  await page.click("#shown > button");
  assertEquals(await page.locator("#shown .content").count(), 0);
  await page.click("#shown > button");
  assertEquals(await inside(), markup);
  const box = page.locator("#shown input");
  assertEquals([await box.isChecked(), await box.isDisabled()], [true, true]);
  // A nested island starts anew, and works.
  assertEquals(await page.textContent("#nested output"), "3");
  await page.click("#nested button");
  assertEquals(await page.textContent("#nested output"), "4");
  assertEquals(await page.textContent("#shown em"), "shown");
});

onPage("a slot that was not shown comes when it is asked for", "/slots", async (page) => {
  assertEquals(await page.locator("#inner").count(), 0);
  await page.click("#hidden > button");
  assertEquals(
    await page.locator("#hidden path").evaluate((path) => path.namespaceURI),
    "http://www.w3.org/2000/svg",
  );
  assertEquals(await page.locator("#deep").count(), 0);
  await page.click("#inner > button");
  assertEquals(await page.textContent("#deep output"), "7");
  await page.click("#deep button");
  assertEquals(await page.textContent("#deep output"), "8");
  await page.click("#hidden > button");
  assertEquals(await page.locator("#inner").count(), 0);
});

onPage("slots in objects of a list stay in their places", "/slots", async (page) => {
  const items = page.locator("#list li");
  assertEquals(await items.evaluateAll((all) => all.map((one) => one.textContent)), ["one", "two"]);
  await page.click("#list > button");
  assertEquals(await page.locator("#list li b").textContent(), "one");
  assertEquals(await page.locator("#list li i").textContent(), "two");
});

onPage("a page without islands loads no script", "/about", async (page) => {
  assertEquals(await page.locator("script, link[rel=modulepreload]").count(), 0);
  const entries = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => entry.name)
  );
  assertEquals(entries.filter((name) => name.includes(".js")), []);
});

onPage("the page's scripts run under a policy of nonces", "/root", async (page) => {
  const { headers } = await fetch(page.url());
  assertMatch(headers.get("content-security-policy")!, /script-src 'self' 'nonce-\w+';/);
  await page.click("#root button");
  assertEquals(await outputs(page), ["2"]);
});

browser.test("in development a page reloads when the server is another one", {
  expectedErrors: [/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|Failed to load resource/],
}, async (page) => {
  const origin = await development.origin();
  const { port } = new URL(origin);
  const stream = await fetch(`${origin}/_frsh/alive`);
  assertEquals(stream.headers.get("content-type"), "text/event-stream");
  const { value } = await stream.body!.pipeThrough(new TextDecoderStream()).getReader().read();
  assertMatch(value!, /^retry: \d+\ndata: [\w-]+\n\n$/);

  const connected = page.waitForResponse((response) => response.url().endsWith("/_frsh/alive"));
  await page.goto(`${origin}/root`);
  await connected;
  await page.click("#root button");
  assertEquals(await outputs(page), ["2"]);
  await development.stop();
  const reloaded = page.waitForEvent("load");
  const again = new Server(site.root, ["run", "-A", "dev.ts", port]);
  try {
    await again.origin();
    await reloaded;
    assertEquals(await outputs(page), ["1"]);
  } finally {
    await again.stop();
  }
});
