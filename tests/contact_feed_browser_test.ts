import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { makeChain } from "../lib/features/chain/testing/fixtures.ts";
import { CONFIG } from "../lib/features/contact/config.ts";
import type { Registered } from "../lib/features/contact/receipt.ts";
import { closeOf, ENDPOINT, fillIn, NARROW, openModal, playThrough, WIDE } from "./contact_page.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite({ CONTACT_CLIENT_LIMIT: "0" });
const test = withoutMotion(browser);
const { COPY } = CONFIG;
const CHAIN = "**/api/chain/**";

/** Registers an enquiry and appends events to its chain. */
async function registerWithEvents(count: number): Promise<Registered> {
  const response = await site.request("api", "/api/ir/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: "Ada",
      email: "ada@mail.example.org",
      enquiry_type: "Other",
      elapsed_ms: 3_000,
    }),
  });
  const registered: Registered = await response.json();
  const { chains } = site.services;
  for (let seq = 1; seq < count; seq++) await chains.append(registered.hash, "record_verified");
  return { ...registered, ...await chains.page(registered.hash, { limit: 5 }) };
}

const headersOf = (page: Page) => ({ "access-control-allow-origin": new URL(page.url()).origin });

/**
 * Advances to the feed of a registration. Returns the `before` of each page that is loaded
 * afterwards.
 */
async function openFeed(page: Page, json: Registered): Promise<number[]> {
  const loaded: number[] = [];
  page.on("request", (request) => {
    const before = new URL(request.url()).searchParams.get("before");
    if (before !== null) loaded.push(Number(before));
  });
  await openModal(page, site);
  await page.route(
    ENDPOINT,
    (route) => route.fulfill({ status: 201, json, headers: headersOf(page) }),
  );
  await fillIn(page);
  await playThrough(page);
  return loaded;
}

const scroller = (page: Page) => page.locator(".scroller");
const seqsOf = (page: Page) =>
  scroller(page).evaluate((view) =>
    [...view.querySelectorAll<HTMLElement>(".row")].map((row) => Number(row.dataset.seq))
  );

/** Returns the `seq` and the position of each row in view. */
const rowsInView = (page: Page) =>
  scroller(page).evaluate((view) => {
    const { top, bottom } = view.getBoundingClientRect();
    return [...view.querySelectorAll<HTMLElement>(".row")].map((row) => {
      const box = row.getBoundingClientRect();
      return { seq: Number(row.dataset.seq), top: box.top, bottom: box.bottom };
    }).filter((row) => row.bottom > top && row.top < bottom);
  });

/** Waits until older rows have been added above the view. */
const hasMoved = (page: Page) =>
  page.waitForFunction(() => {
    const { shadowRoot } = [...document.querySelectorAll("*")].find((one) => one.shadowRoot)!;
    return shadowRoot!.querySelector(".scroller")!.scrollTop > 600;
  });

const scrollTo = (page: Page, top: number) =>
  scroller(page).evaluate((view, top) => view.scrollTop = top, top);

// With reduced motion, the sequence takes no time.
const context = (viewport: typeof WIDE) => ({ viewport, reducedMotion: "reduce" as const });

test("scrolling up loads older events, which can be retried, and no row in view moves", {
  context: context(WIDE),
  expectedErrors: [/status of 500 .*\/api\/chain\/[0-9a-f]{64}\?before=\d+&limit=100\)$/],
}, async (page) => {
  const loaded = await openFeed(page, await registerWithEvents(250));
  assertEquals(loaded, [], "nothing is loaded before the user scrolls up");
  const first = await rowsInView(page);
  assertEquals(first.map(({ seq }) => seq).slice(-5), [245, 246, 247, 248, 249]);

  await scrollTo(page, 10);
  await hasMoved(page);
  assertEquals(loaded, [245]);

  const released = Promise.withResolvers<void>();
  await page.route(CHAIN, async (route) => {
    await released.promise;
    await route.fallback();
  }, { times: 1 });
  await scrollTo(page, 300);
  const held = await rowsInView(page);
  assert(held[0].seq < first[0].seq);
  released.resolve();
  await hasMoved(page);
  const after = await rowsInView(page);
  assertEquals(after.map(({ seq }) => seq), held.map(({ seq }) => seq));
  for (const [i, { seq, top }] of after.entries()) {
    assert(Math.abs(top - held[i].top) <= 1, `row ${seq} moved from ${held[i].top} to ${top}`);
  }

  // A page of events that failed to load can be retried.
  await page.route(
    CHAIN,
    (route) => route.fulfill({ status: 500, json: {}, headers: headersOf(page) }),
    { times: 1 },
  );
  // In one step, because scrolling further after the response would trigger a retry.
  await scrollTo(page, 0);
  await page.getByText(COPY.EARLIER_FAILED).waitFor();
  await page.getByRole("button", { name: COPY.RETRY }).click();
  await page.getByText(COPY.BEGINNING).waitFor();
  await scrollTo(page, 0);
  assertEquals((await rowsInView(page))[0].seq, 0);
  await scroller(page).hover();
  await page.mouse.wheel(0, -50);
  await page.getByRole("status").getByText(COPY.WHOLE_HISTORY).waitFor();
  assert(await page.locator(".feed").getByText(COPY.HINT).isVisible());
  assertEquals(loaded, [245, 145, 45, 45]);
  const expected = Array.from({ length: 250 }, (_, seq) => seq);
  assertEquals(await seqsOf(page), expected, "each event once, in order");
  await closeOf(page).click();
});

test("of 1,000 events, only those near the view are rendered", {
  context: context(NARROW),
}, async (page) => {
  const count = 1_000;
  const registered = await registerWithEvents(1);
  const chain = await makeChain(registered.hash, count);
  await page.route(CHAIN, (route) => {
    const before = Number(new URL(route.request().url()).searchParams.get("before"));
    const json = { ...registered, events: chain.slice(Math.max(0, before - 100), before) };
    return route.fulfill({ json, headers: headersOf(page) });
  });
  const loaded = await openFeed(page, { ...registered, events: chain.slice(-5) });

  await page.clock.resume();
  await scroller(page).evaluate((view, beginning) =>
    new Promise<void>((resolve) => {
      const frame = () => {
        if (view.querySelector(".strip")!.textContent === beginning) return resolve();
        view.scrollTop = Math.max(1, view.scrollTop - 4_000);
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    }), COPY.BEGINNING);
  await scrollTo(page, 0);
  assertEquals((await rowsInView(page))[0].seq, 0);
  assertEquals(loaded.length, 10);
  const expected = Array.from({ length: count }, (_, seq) => seq);
  assertEquals(await seqsOf(page), expected, "each event once, in order");
  const drawn = await scroller(page).evaluate((view) =>
    [...view.querySelectorAll(".row")].filter((row) =>
      row.checkVisibility({ contentVisibilityAuto: true })
    ).length
  );
  assert(drawn < 500, `${drawn} rows are drawn`);
});
