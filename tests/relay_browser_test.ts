import { assert, assertEquals } from "@std/assert";
import { serveRelay, SLUG } from "../lib/relay/testing/served_relay.ts";
import { sandboxRelay, startOriginSandbox } from "../sandbox/origin.ts";
import { axeViolations, testBrowser } from "./browser.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());

browser.test("a browser reads a protected site through a relay", {}, async (page) => {
  await using sandbox = startOriginSandbox();
  await using relay = serveRelay({ ...sandboxRelay(sandbox), slug: SLUG });
  const base = `http://docs.relay.localhost:${relay.port}/${SLUG}`;
  const asked: { url: string; referrer?: string }[] = [];
  page.on("request", (request) => {
    asked.push({ url: request.url(), referrer: request.headers().referer });
  });

  await page.goto(base);
  assertEquals(page.url(), `${base}/`);
  assertEquals(await page.textContent("h1"), "The records office handbook");
  assertEquals(await page.evaluate(() => getComputedStyle(document.body).margin), "0px");
  assertEquals(await axeViolations(page), []);

  // By root-relative links, absolute ones and those with dots, the reader stays below the slug.
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
  assert(asked.length > 10);
  assertEquals(asked.filter(({ url }) => !url.startsWith(`${base}/`) && url !== base), []);
  assertEquals(asked.filter(({ referrer }) => referrer), []);
  assertEquals(await page.context().cookies(), []);
});

const expectedErrors = [/status of (?:403|502)/];
browser.test("what is refused is told in JSON", { expectedErrors }, async (page) => {
  await using sandbox = startOriginSandbox();
  await using relay = serveRelay({ ...sandboxRelay(sandbox), slug: SLUG });
  const base = `http://docs.relay.localhost:${relay.port}`;
  const wrong = await page.goto(`${base}/wrong/`);
  assertEquals([wrong?.status(), (await wrong?.json()).error], [403, "forbidden"]);
  const login = await page.goto(`${base}/${SLUG}/moved`);
  assertEquals([login?.status(), (await login?.json()).error], [502, "bad_gateway"]);
  assertEquals(page.url(), `${base}/${SLUG}/moved`);
});
