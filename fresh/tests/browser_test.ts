import { Builder } from "fresh/dev";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { copyOfSite } from "./setup.tsx";

const outputs = (page: Page) => page.locator("output").allTextContents();

/** Actions and assertions on the pages of the built site. Adjacent ones of a path share its page. */
const PAGES: [
  title: string,
  path: string,
  fn: (page: Page, errors: string[]) => Promise<void>,
][] = [
  ["an island is hydrated and counts clicks", "/root", async (page) => {
    assertEquals(await outputs(page), ["1"]);
    await page.click("#root button");
    await page.click("#root button");
    assertEquals(await outputs(page), ["3"]);
    // Nothing was duplicated or moved: the island is still the body's own child.
    assertEquals(await page.locator("body > div#root").count(), 1);
  }],

  ["hydration keeps the server's elements", "/islands", async (page) => {
    const html = await (await page.request.get(page.url())).text();
    const strip = (text: string) => text.replaceAll(/nonce="\w*"/g, "").replaceAll(/\s+/g, "");
    const served = await page.evaluate(
      (text) =>
        new DOMParser().parseFromString(text, "text/html").querySelector("#first")!.outerHTML,
      html,
    );
    const live = await page.locator("#first").evaluate((element) => element.outerHTML);
    assertEquals(strip(live), strip(served));
    assertEquals(await page.locator("#first").count(), 1);
  }],

  ["several islands have their own state and props", "/islands", async (page) => {
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
  }],

  ["two islands share a signal", "/islands", async (page) => {
    await page.click("#one button");
    assertEquals((await outputs(page)).slice(2), ["6", "6"]);
    await page.click("#two button");
    assertEquals((await outputs(page)).slice(2), ["7", "7"]);
  }],

  ["a slot can be hidden and shown again", "/slots", async (page) => {
    const inside = async () =>
      await page.locator("#shown .inside").evaluateAll((all) => all.map((one) => one.outerHTML));
    const markup = ['<p class="inside" data-x="&quot;quoted&quot;">text &amp; more</p>'];
    assertEquals(await inside(), markup);
    assertEquals(await page.textContent("#shown em"), "shown");
    await page.click("#nested button");
    assertEquals(await page.textContent("#nested output"), "4");
    const mounts = await page.evaluate(() => performance.getEntriesByName("mounted nested").length);
    assertEquals(mounts, 1);
    await page.click("#shown > button");
    assertEquals(await page.locator("#shown .content").count(), 0);
    await page.click("#shown > button");
    assertEquals(await inside(), markup);
    const box = page.locator("#shown input");
    assertEquals([await box.isChecked(), await box.isDisabled()], [true, true]);
    // The nested island starts from its initial state again.
    assertEquals(await page.textContent("#nested output"), "3");
    await page.click("#nested button");
    assertEquals(await page.textContent("#nested output"), "4");
    assertEquals(await page.textContent("#shown em"), "shown");
  }],

  ["a slot that was hidden at first can be shown", "/slots", async (page) => {
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
  }],

  ["a <Head> in an island updates the document when it renders again", "/head", async (page) => {
    const head = () =>
      page.evaluate(() => ({
        titles: [...document.querySelectorAll("title")].map((one) => one.textContent),
        metas: [...document.querySelectorAll("meta[name]")].map((one) => one.outerHTML),
        links: [...document.querySelectorAll("link[rel=stylesheet], link[rel=alternate]")]
          .map((one) => one.getAttribute("href")!.replace(/\?.*/, "")),
      }));
    const expected = (n: number) => ({
      titles: [`Clicked ${n}`],
      metas: [`<meta name="description" content="${n}">`],
      links: ["/site.css", `/${n}.css`, `/feed/${n}`],
    });
    assertEquals(await head(), expected(0));
    for (const n of [1, 2]) {
      await page.click("button");
      assertEquals(await head(), expected(n));
    }
    assertEquals(await page.textContent("button"), "2");
    await page.click("#more");
    assertEquals(await page.locator("head meta[name=robots]").getAttribute("content"), "noindex");
  }],

  [
    "an island in invalid HTML is named in the console, and the others work",
    "/nesting",
    async (page, errors) => {
      await page.click("#valid button");
      assertEquals(await page.textContent("#valid output"), "2");
      assertEquals(errors.length, 1);
      assertMatch(errors.pop()!, /^Island <Counter>: .* in a <p>/);
    },
  ],

  ["a page without islands loads no script", "/about", async (page) => {
    assertEquals(await page.locator("script, link[rel=modulepreload]").count(), 0);
    const entries = await page.evaluate(() =>
      performance.getEntriesByType("resource").map((entry) => entry.name)
    );
    assertEquals(entries.filter((name) => name.includes(".js")), []);
  }],

  ["the page's scripts run under a policy with nonces", "/root", async (page) => {
    const { headers } = await fetch(page.url());
    assertMatch(headers.get("content-security-policy")!, /script-src 'self' 'nonce-\w+';/);
    await page.click("#root button");
    assertEquals(await outputs(page), ["2"]);
  }],
];

/** Opens a page. Returns it and the errors that it logs, with the requests that fail. */
async function openPage(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("response", (one) => one.ok() || errors.push(`${one.status()} ${one.url()}`));
  await page.goto(url);
  return { page, errors };
}

/** Runs Deno in a site's folder, as a developer would. */
function deno(root: string, args: string[]): Deno.Command {
  const env = { NO_COLOR: "1" };
  return new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env,
    stdout: "piped",
    stderr: "piped",
  });
}

/** Serves a build with `deno serve`. */
async function serveBuild(root: string): Promise<{ origin: string } & AsyncDisposable> {
  const process = deno(root, ["serve", "-A", "--port=0", "_fresh/server.js"]).spawn();
  await process.stdout.cancel();
  let output = "";
  for await (const text of process.stderr.pipeThrough(new TextDecoderStream())) {
    output += text;
    const port = /Listening on http:\/\/[^\s/]+:(\d+)/.exec(output)?.[1];
    if (port === undefined) continue;
    return {
      origin: `http://localhost:${port}`,
      async [Symbol.asyncDispose]() {
        process.kill();
        await process.status;
      },
    };
  }
  throw new Error(`The server stopped:\n${output}`);
}

/** Serves a site for development in this process. */
async function serveDevelopment(root: string, port = 0) {
  const stop = new AbortController();
  const listening = Promise.withResolvers<number>();
  await new Builder({ root }).listen(() => import(`file://${root}/main.ts`), {
    port,
    hostname: "localhost",
    signal: stop.signal,
    onListen: (address) => listening.resolve(address.port),
  });
  return { port: await listening.promise, [Symbol.dispose]: () => stop.abort() };
}

// The browser outlives the steps, so resources are not checked.
Deno.test("a site in the browser", { sanitizeOps: false, sanitizeResources: false }, async (t) => {
  await using site = await copyOfSite();
  const { success, stderr } = await deno(site.root, ["run", "-A", "dev.ts"]).output();
  assert(success, new TextDecoder().decode(stderr));
  await using server = await serveBuild(site.root);
  const browser = await launchBrowser();
  try {
    await using context = await browser.newContext({ locale: "en-US" });
    let open: Awaited<ReturnType<typeof openPage>> | undefined;
    for (const [i, [title, path, fn]] of PAGES.entries()) {
      await t.step(title, async () => {
        if (path !== PAGES[i - 1]?.[1]) {
          await open?.page.close();
          open = await openPage(context, server.origin + path);
        }
        await fn(open!.page, open!.errors);
        assertEquals(open!.errors, []);
      });
    }

    await t.step("a page reloads after the development server has restarted", async () => {
      const page = await browser.newPage();
      const first = await serveDevelopment(site.root);
      const { port } = first;
      const stream = await fetch(`http://localhost:${port}/_frsh/alive`);
      assertEquals(stream.headers.get("content-type"), "text/event-stream");
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      assertMatch((await reader.read()).value!, /^retry: \d+\ndata: [\w-]+\n\n$/);
      await reader.cancel();

      const connected = page.waitForResponse((response) => response.url().endsWith("/_frsh/alive"));
      await page.goto(`http://localhost:${port}/root`);
      await connected;
      await page.click("#root button");
      assertEquals(await outputs(page), ["2"]);
      const reloaded = page.waitForEvent("load");
      first[Symbol.dispose]();
      using _second = await serveDevelopment(site.root, port);
      await reloaded;
      assertEquals(await outputs(page), ["1"]);
      await page.close();
    });
  } finally {
    await browser.close();
  }
});
