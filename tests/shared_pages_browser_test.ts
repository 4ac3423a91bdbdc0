import { assertEquals } from "@std/assert";
import { becomes } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

test("the scripts of a page run after a reload that returns 304", {}, async (page) => {
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const url = site.services.surfaces.url("trust", "/")!;
  await page.goto(url);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  const statuses: number[] = [];
  cdp.on("Network.responseReceivedExtraInfo", ({ statusCode }) => statuses.push(statusCode));
  const nonce = () =>
    page.evaluate(() => document.querySelector<HTMLScriptElement>("script[nonce]")!.nonce);
  const first = await nonce();
  await page.reload();
  assertEquals([statuses[0], await nonce()], [304, first]);
  await becomes(() => page.getByLabel("Colours").isVisible(), true);
  assertEquals(problems, []);
});
