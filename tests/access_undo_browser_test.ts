import { assert, assertEquals } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { HOLD_MS } from "../lib/features/documents/mod.ts";
import { type AccessFixture, accessFixture } from "./access_site.ts";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const JANE = { name: "Jane Roe", email: "jane@mail.example.com" };
const SAM = { name: "Sam Poe", email: "sam@mail.example.com" };

const stateOf = async ({ site, owner }: AccessFixture, { email }: typeof JANE) =>
  (await site.services.access.list(owner.hash)).find(({ person }) => person.email === email)!.state;

/** Serves a site with two requests, and opens the page that decides on them. */
async function openRequests(page: Page, who: "holder" | "administrator") {
  const fixture = await serveOnFreePort((env) => accessFixture(env));
  const { site: { services }, owner } = fixture;
  const on = who === "holder" ? "trust" : "commercial-console";
  const url = services.surfaces.url(on, who === "holder" ? "/my-record" : "/console/alerts")!;
  await fixture.open(JANE);
  await fixture.open(SAM);
  await signIn(
    page.context(),
    url,
    who === "holder" ? owner.cookie : await operatorCookie(fixture),
  );
  await page.clock.install();
  await page.goto(url);
  return fixture;
}

async function operatorCookie({ site: { services: { auth } } }: AccessFixture): Promise<string> {
  const surface = "commercial-console";
  const { token } = await auth.issueLink({ email: "admin@example.org", surface });
  return `app_session=${(await auth.verify(token, surface))!.sessionId}`;
}

async function signIn(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url }]);
}

/** Lets the time pass in which a second click does nothing. */
const pause = (page: Page) => page.clock.fastForward(600);

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const topOf = async (page: Page, name: string) =>
  (await page.getByRole("heading", { name }).boundingBox())!.y;
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

for (const who of ["holder", "administrator"] as const) {
  test(
    `the ${who} approves with the keyboard at 375 px, hears the result, and undoes it in place`,
    { context: { viewport: { width: 375, height: 800 } }, expectedErrors: [/status of 409/] },
    async (page) => {
      await using fixture = await openRequests(page, who);
      const { pathname } = new URL(page.url());
      const next = await topOf(page, JANE.name);
      await button(page, `Approve for ${SAM.name}`).press("Enter");
      const result = page.getByRole("status").filter({ hasText: `Approved for ${SAM.name}.` });
      await result.waitFor();
      assert((await focused(page)).startsWith(`Approved for ${SAM.name}.`));
      assertEquals(await stateOf(fixture, SAM), "approved");
      assertEquals(new URL(page.url()).pathname, pathname);
      // The next card is where it was on the page, wherever the page is scrolled to.
      const scrolled = await page.evaluate(() => scrollY);
      assert(Math.abs(await topOf(page, JANE.name) + scrolled - next) < 1);
      assertEquals(await axeViolationsInBothSchemes(page), []);
      assertEquals(await sidewaysScroll(page), 0);
      // Nothing says that it still waits, and the result covers no link.
      const card = page.locator("[data-acted]");
      assertEquals(await card.getByText("Waiting for a decision").isVisible(), false);
      const bar = (await result.boundingBox())!;
      for (const link of await card.locator("a").all()) {
        const { y, height } = (await link.boundingBox())!;
        assert(y + height <= bar.y || y >= bar.y + bar.height);
      }

      await pause(page); // a click that follows the decision at once does nothing
      await button(page, `Undo: Approved for ${SAM.name}`).press("Enter");
      await becomes(() => stateOf(fixture, SAM), "open");
      await becomes(() => page.getByText(`Approved for ${SAM.name}.`).count(), 0);
      await becomes(
        () => page.locator("[data-announce]").textContent(),
        `Undone: the request from ${SAM.name} is waiting again.`,
      );
      await pause(page);
      await button(page, `Refuse for ${SAM.name}`).click();
      await page.getByText(`Refused for ${SAM.name}.`).waitFor();
      await fixture.sendHeld();
      await pause(page);
      await button(page, /^Undo/).click();
      await page.getByRole("alert").filter({ hasText: "It is too late to undo" }).waitFor();
      assertEquals(await stateOf(fixture, SAM), "refused");
    },
  );
}

test("a double click decides on one request and does not undo it", {}, async (page) => {
  await using fixture = await openRequests(page, "administrator");
  // Once the page has its scripts, no time passes in it, however long the second click takes to arrive.
  await page.waitForLoadState("networkidle");
  await page.clock.runFor(1_000);
  await page.clock.pauseAt(await page.evaluate(() => Date.now()) + 1_000);
  let posts = 0;
  page.on("request", (request) => request.method() === "POST" && posts++);
  const box = (await button(page, `Approve for ${SAM.name}`).boundingBox())!;
  const point = [box.x + 20, box.y + 10] as const;
  await page.mouse.dblclick(...point);
  await page.getByText(`Approved for ${SAM.name}.`).waitFor();
  // Where the buttons were are the card and its result, never another card's button.
  const under = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)!.closest("[data-card]")?.textContent,
    point,
  );
  assert(under?.includes(SAM.name) && !under.includes(JANE.name));
  await button(page, /^Undo/).click(); // at once
  assertEquals(posts, 1);
  assertEquals([await stateOf(fixture, SAM), await stateOf(fixture, JANE)], ["approved", "open"]);
});

test(
  "Undo goes away when its time is over, and the focus stays on the result",
  {},
  async (page) => {
    await page.clock.install();
    await using fixture = await openRequests(page, "administrator");
    await button(page, `Approve for ${SAM.name}`).click();
    await page.getByText(`Approved for ${SAM.name}.`).waitFor();
    await button(page, /^Undo/).focus();
    await page.clock.runFor(HOLD_MS + 1_000);
    await becomes(() => button(page, /^Undo/).count(), 0);
    await page.getByText("so this can no longer be undone").waitFor();
    assert((await focused(page)).startsWith(`Approved for ${SAM.name}.`));
    assertEquals(await stateOf(fixture, SAM), "approved");
  },
);
