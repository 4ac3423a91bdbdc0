import { assert, assertEquals } from "@std/assert";
import { serveRelay, SLUG } from "../lib/features/relay/testing/served_relay.ts";
import { sandboxRelay, startOriginSandbox } from "../sandbox/origin.ts";
import { axeViolations, testBrowser } from "./browser.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

test("every kind of link keeps a browser below the slug", {}, async (page) => {
  await using sandbox = startOriginSandbox();
  await using relay = serveRelay({ ...sandboxRelay(sandbox), slug: SLUG });
  const base = `http://docs.relay.localhost:${relay.port}/${SLUG}`;
  const requested: { url: string; referrer?: string }[] = [];
  page.on("request", (request) => {
    requested.push({ url: request.url(), referrer: request.headers().referer });
  });

  await page.goto(base);
  assertEquals(page.url(), `${base}/`);
  assertEquals(await page.textContent("h1"), "The records office handbook");
  assertEquals(await page.evaluate(() => getComputedStyle(document.body).margin), "0px");
  assertEquals(await axeViolations(page), []);

  // Root-relative links, absolute links and links with dot segments.
  for (
    const [link, path] of [
      ["Keeping a record", "/handbook/keeping"],
      ["checking a record", "/handbook/checking"],
      ["handing over", "/handbook/handing-over"],
      ["the chapters", "/"],
      ["Handing over", "/handbook/handing-over"],
      ["Records office", "/"],
      ["a redirect on this site", "/handbook/checking"],
    ]
  ) {
    await page.click(`a:text-is("${link}")`);
    await page.waitForURL(base + path);
  }
  assert(requested.length > 10);
  assertEquals(requested.filter(({ url }) => !url.startsWith(`${base}/`) && url !== base), []);
  assertEquals(requested.filter(({ referrer }) => referrer), []);
  assertEquals(await page.context().cookies(), []);
});
