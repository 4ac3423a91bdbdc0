/** Firefox and an old Chromium for tests in several browser engines. */
import puppeteer, { type KeyInput, type LaunchOptions } from "puppeteer-core";
import { type Engine, find, isFile, type OpenEngine } from "./engine.ts";
import { unpackedChromium } from "../chromium.ts";

const FIREFOX = Deno.env.get("FIREFOX_PATH") ?? "/usr/bin/firefox-esr";

export const firefox: Engine = {
  name: "Firefox",
  trustsLocalhost: true,
  missing: async () => await isFile(FIREFOX) ? null : "apt-get install firefox-esr",
  open: () => open({ browser: "firefox", executablePath: FIREFOX }),
};

/** The last version without `light-dark()`, `@media (scripting)`, `URL.canParse` and Ed25519 in WebCrypto. */
const OLD = "@sparticuz/chromium@119.0.2";

export const oldChromium: Engine = {
  name: "Chromium 119",
  trustsLocalhost: true,
  missing: () =>
    unpackedChromium(OLD).then(
      () => null,
      () => `deno cache --no-lock npm:${OLD}, which is for Linux x64`,
    ),
  open: async () =>
    open({
      browser: "chrome",
      executablePath: await unpackedChromium(OLD),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
      ],
    }),
};

async function open(options: LaunchOptions): Promise<OpenEngine> {
  const browser = await puppeteer.launch({ headless: true, ...options });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const elementOf = async (selector: string) => {
    const element = (await page.evaluateHandle(find, selector)).asElement();
    if (element === null) throw new Error(`no element ${selector}`);
    return element as Awaited<ReturnType<typeof page.$>>;
  };
  return {
    page: {
      goto: async (url) => void await page.goto(url, { waitUntil: "load" }),
      evaluate: (call, ...args) =>
        page.evaluate(call as (...args: unknown[]) => unknown, ...args) as Promise<never>,
      click: async (selector) => await (await elementOf(selector))!.click(),
      type: async (selector, text) => await (await elementOf(selector))!.type(text),
      async press(...keys) {
        for (const key of keys) await page.keyboard.down(key as KeyInput);
        for (const key of keys.toReversed()) await page.keyboard.up(key as KeyInput);
      },
      resize: (width, height) => page.setViewport({ width, height }),
      screenshot: () => page.screenshot(),
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
