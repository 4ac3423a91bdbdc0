import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { unwrap } from "../lib/platform/http/errors.ts";
import { readRecord, recordRows } from "../lib/features/records/mod.ts";
import {
  axeViolations,
  axeViolationsInBothSchemes,
  becomes,
  sidewaysScroll,
  testBrowser,
} from "./browser.ts";
import { assertPixels } from "./layout.ts";
import { decode } from "./qr_codes.ts";
import { type RecordFixture, recordFixture, type TestHolder } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

let fixture: RecordFixture;
const browser = testBrowser();
const test = withoutMotion(browser);
Deno.test.beforeAll(async () => {
  fixture = await serveOnFreePort((env) => recordFixture(env));
});
Deno.test.afterAll(async () => {
  await browser.close();
  await fixture[Symbol.asyncDispose]();
});

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
const urlOf = (path: string) => fixture.site.services.surfaces.url("trust", path)!;

async function holderAtLevel3(): Promise<TestHolder> {
  const holder = await fixture.holder();
  const { kv } = fixture.site.services;
  const { row } = (await readRecord(kv, holder.hash))!;
  await kv.set(recordRows.key(holder.hash), { ...row, level: 3 });
  return holder;
}

async function newKey(hash: string): Promise<string> {
  return unwrap(await fixture.site.services.records.keys.issue({ hash, reader: READER })).key;
}

async function signIn(context: BrowserContext, { cookie }: TestHolder): Promise<void> {
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url: urlOf("/") }]);
}

const kindsOf = async (hash: string) =>
  (await fixture.site.services.chains.page(hash))!.events.map(({ kind }) => kind);

async function sizeInMm(element: Locator): Promise<{ width: number; height: number }> {
  const { width, height } = (await element.boundingBox())!;
  return { width: width * 25.4 / 96, height: height * 25.4 / 96 };
}

/** Returns the sizes of a PDF's pages in millimetres. */
async function printedPages(page: Page): Promise<{ width: number; height: number }[]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  return [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
    .map(([, width, height]) => ({ width: +width * 25.4 / 72, height: +height * 25.4 / 72 }));
}

test(
  "a new key is printed on A4 and at wallet size, with codes that contain its address",
  { context: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" } },
  async (page, context) => {
    const holder = await holderAtLevel3();
    await signIn(context, holder);
    await page.goto(urlOf("/my-record/key"));
    await page.getByRole("button", { name: "Create my key" }).click();
    await page.getByRole("button", { name: "Print" }).waitFor();
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.setViewportSize({ width: 320, height: 800 });
    assertEquals(await sidewaysScroll(page), 0);

    const { current } = await fixture.site.services.records.keys.read(holder.hash);
    const address = (await page.locator(".sheet-code .key-address").textContent())!;
    assert(address.startsWith(`${urlOf("/k")}#`));
    assertEquals(await page.locator(".key-card .key-address").textContent(), address);
    assertEquals(await fixture.site.services.records.keys.state(address), {
      state: "current",
      hash: current!.hash,
    });
    for (const hash of await page.locator(".key-sheet .hash-rows").all()) {
      assertEquals(await hash.textContent(), holder.hash);
      assertEquals((await hash.locator("span").allTextContents())[0].length, 4);
    }

    for (const dark of [true, false]) {
      await page.emulateMedia({ media: "print", colorScheme: dark ? "dark" : "light" });
      assertEquals(await decode(page.locator(".sheet-code .key-qr")), address);
      assertEquals(await decode(page.locator(".key-card .key-qr")), address);
    }
    const card = page.locator(".key-card");
    const { width, height } = await sizeInMm(card);
    assertAlmostEquals(width, 85.6, 0.1);
    assertAlmostEquals(height, 54, 0.1);
    for (const qr of await page.locator(".key-qr").all()) {
      assert((await sizeInMm(qr)).width >= 25, "with its quiet zone");
    }
    const clipped = await card.evaluate(({ scrollHeight, clientHeight }) =>
      scrollHeight - clientHeight
    );
    assertPixels([clipped], [0]);
    const [sheet, ...more] = await printedPages(page);
    assertEquals(more, []);
    assertAlmostEquals(sheet.width, 210, 0.5);
    assertAlmostEquals(sheet.height, 297, 0.5);

    await page.emulateMedia({ media: null });
    await page.getByLabel("Only the card").check();
    const [only, ...others] = await printedPages(page);
    assertEquals(others, []);
    assertAlmostEquals(only.width, 85.6, 0.3);
    assertAlmostEquals(only.height, 54, 0.3);

    await page.emulateMedia({ media: null });
    await page.getByRole("link", { name: "Back to my record" }).click();
    await page.goto(urlOf("/my-record/key"));
    assertEquals(await axeViolations(page), []);
    assert(!(await page.content()).includes(address.split("#")[1]));
  },
);

test(
  "a stranger's scan verifies the chain and becomes an event; a failed one says so",
  {
    expectedErrors: [
      /ERR_FAILED .*\/k\)$/,
      /ERR_FAILED .*\/api\/chain\/[0-9a-f]{64}\?limit=100\)$/,
      /status of 404 .*\/k\)$/,
    ],
  },
  async (page) => {
    const { hash } = await holderAtLevel3();
    const { keys } = fixture.site.services.records;
    const key = await newKey(hash);
    const heading = page.locator(".verdict h2");
    const result = (text: string) => becomes(() => heading.textContent(), text);
    const intact = (events: number) =>
      result(`The record's chain is intact: the publisher signed all ${events} events.`);

    // Neither a failed look-up nor a failed verification says anything about the record.
    await page.route(
      "**/k",
      (route) => route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    await page.goto(urlOf(`/k#${key}`));
    await page.getByText("The key could not be checked").waitFor();
    await page.unrouteAll();
    await page.route("**/api/chain/**", (route) => route.abort());
    await page.getByRole("button", { name: "Try again" }).click();
    await result("The record's chain could not be checked.");
    assertEquals((await kindsOf(hash)).length, 3);
    await page.unrouteAll();
    await page.route("**/api/chain/**", async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const json = await (await fixture.site.request("api", pathname + search)).json();
      json.events[1].at = "2026-01-01T00:00:00.000Z";
      await route.fulfill({ json, headers: { "access-control-allow-origin": "*" } });
    });
    await page.getByRole("button", { name: "Try again" }).click();
    await result("The record's chain does not verify: event 1.");
    await page.unrouteAll();
    await page.reload();
    await intact(3);
    await page.getByText("This check is event 3 of the chain.").waitFor(); // the only report
    assertEquals((await kindsOf(hash)).at(-1), "record_verified");
    assertEquals(await page.locator(".hash-rows").textContent(), hash);
    const report = await page.locator(".key-report").innerText();
    const order = [
      "The record's chain is intact",
      "What was checked",
      "What this does not prove",
      "How to repeat this independently",
    ].map((text) => report.indexOf(text));
    assertEquals(order, order.toSorted((a, b) => a - b));
    assertStringIncludes(report, "Attest Systems states that this record is at level 3 of 4.");
    assertEquals(
      await page.getByRole("link", { name: "What the levels mean" }).getAttribute("href"),
      urlOf("/levels"),
    );
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.setViewportSize({ width: 320, height: 800 });
    assertEquals(await sidewaysScroll(page), 0);

    await page.reload();
    await intact(4);
    await page.getByText("within the last hour").waitFor();
    const { id } = (await keys.read(hash)).current!;
    unwrap(await keys.revoke({ hash, reader: READER, id }));
    await page.reload();
    await page.getByText(/This key was revoked on/).waitFor();
    await page.getByLabel("Check another key").fill("7hq0 1zxc 4v8b 2n6m 9kjh gfd5 s3");
    await page.keyboard.press("Enter");
    await result("This key is not known here.");
    assertEquals(new URL(page.url()).hash, "#7HQ01ZXC4V8B2N6M9KJHGFD5S3");
    assertEquals(await axeViolations(page), []);
    assertEquals((await kindsOf(hash)).filter((kind) => kind === "record_verified").length, 1);
  },
);

test("without scripts, a typed key shows a statement that nothing was verified", {
  context: { javaScriptEnabled: false, viewport: { width: 320, height: 700 } },
}, async (page) => {
  const { hash } = await holderAtLevel3();
  const key = await newKey(hash);
  await page.goto(urlOf(`/k#${key}`));
  // Playwright's text locators ignore text inside noscript.
  assertStringIncludes(await page.locator("noscript").innerText(), "JavaScript is off");
  await page.getByLabel("Key").fill(key.toLowerCase());
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("The record's chain is not verified yet.").waitFor();
  assertStringIncludes(await page.locator("noscript p").innerText(), "nothing was verified");
  await page.getByText("level 3 of 4").waitFor();
  assertEquals(new URL(page.url()).pathname + new URL(page.url()).hash, "/k");
  assertEquals(await sidewaysScroll(page), 0);
  assertEquals((await kindsOf(hash)).length, 3);
});
