import { assert, assertEquals } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { fail } from "../lib/base/result.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { axeViolationsInBothSchemes, sidewaysScroll, tabTo, testBrowser } from "./browser.ts";
import { assertPixels } from "./layout.ts";
import { withoutMotion } from "./still_pages.ts";
import { ADA, ADMIN, serveSignInSite } from "./sign_in_site.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());

const CONSOLE = "foundation-console";

/** Pages without the background video, whose decoding would take most of the time. */
const test = withoutMotion(browser);

/** Serves a site and returns the actions on its sign-in page. */
async function openSite(page: Page, context: BrowserContext) {
  const setup = await serveSignInSite();
  const url = (path: string, surface: SurfaceName = "site") =>
    setup.site.services.surfaces.url(surface, path)!;
  const field = page.getByLabel("Email address");
  const submit = page.getByRole("button", { name: "Send link →" });
  const inbox = page.getByRole("heading", { name: "Check your inbox" });
  const send = async (email: string) => {
    await field.fill(email);
    await submit.click();
    await inbox.waitFor();
  };
  return {
    ...setup,
    url,
    field,
    submit,
    inbox,
    again: page.getByRole("button", { name: "Send the link again" }),
    otherAddress: page.getByRole("link", { name: "use another address" }),
    open: (path: string, surface?: SurfaceName) => page.goto(url(path, surface)),
    send,
    /** Opens the sign-in page and requests a link. */
    async request(email: string, path = "/auth") {
      await page.goto(url(path));
      await send(email);
    },
    mails: async (email: string) => (await setup.links(email)).length,
    /** Opens the latest link that was mailed to an address. */
    openLink: async (email: string) => page.goto((await setup.links(email))[0].href),
    session: async () =>
      (await context.cookies(url("/"))).find(({ name }) => name === "app_session"),
    focused: () =>
      page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id),
  };
}

/** Pauses the page's clock, so that only the test advances it. */
async function stopTime(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
}

test(
  "a person can sign in on the site and on a console, sign out, and sign in again after a used link",
  {
    context: { viewport: { width: 1280, height: 800 } },
  },
  async (page, context, t) => {
    await using site = await openSite(page, context);
    const { url } = site;
    await site.open("/auth");

    await t.step("signing in and out works by keyboard alone", async () => {
      await page.getByRole("heading", { name: "Sign in or create your account" }).waitFor();
      assertPixels([(await page.locator("main").boundingBox())!.width], [420]);
      await tabTo(page, page.locator("#field-email"));
      await page.keyboard.type(ADA);
      await page.keyboard.press("Enter");
      await site.inbox.waitFor();
      assertEquals(await site.focused(), "Check your inbox");
      assert(await page.getByText(ADA).isVisible());

      await site.openLink(ADA);
      assertEquals(page.url(), url("/account"));
      assert(await page.getByRole("heading", { name: `Welcome, ${ADA}` }).isVisible());
      assert(await page.getByText("Your dashboard is being set up.").isVisible());
      assert(await page.getByRole("heading", { name: "Scope analysis" }).isVisible());
      const cookie = await site.session();
      assertEquals([cookie?.httpOnly, cookie?.secure, cookie?.sameSite], [true, true, "Lax"]);

      await page.keyboard.press("Tab");
      assertEquals(await site.focused(), "Skip to content");
      const explore = page.getByRole("link", { name: "Explore qualifications →" });
      assertEquals(await explore.evaluate((link: HTMLAnchorElement) => link.href), url("/"));
      await explore.click({ trial: true }); // signing out opens the page
      await tabTo(page, page.getByRole("button", { name: "Sign out" }));
      await page.keyboard.press("Enter");
      await page.waitForURL(url("/"));
      assertEquals(await site.session(), undefined);
    });

    await t.step("Back does not show a stored account page", async () => {
      await page.goBack();
      assertEquals(page.url(), url("/auth"));
    });

    await t.step("a used link has expired, and a new one can be requested", async () => {
      await site.openLink(ADA);
      assertEquals(page.url(), url("/auth?error=expired"));
      assert(await page.getByText("That link has expired or has already been used.").isVisible());
      await site.send(ADA);
      await site.openLink(ADA);
      assertEquals(page.url(), url("/account"));
    });

    await t.step("a console's sign-in leads back to its page", async () => {
      await site.open("/console?tab=2", CONSOLE);
      assertEquals(new URL(page.url()).pathname, "/auth");
      await site.send(ADMIN);
      await site.openLink(ADMIN);
      await page.getByRole("heading", { name: "Add your passkey" }).waitFor();
      await page.getByRole("link", { name: "Later" }).click();
      await page.waitForURL(url("/console?tab=2", CONSOLE));
    });
  },
);

test(
  "the link can be resent only after 60 seconds, and the form handles a refusal and a late response",
  { expectedErrors: [/status of 429 .*\/api\/auth\/request\)$/] },
  async (page, context, t) => {
    await using site = await openSite(page, context);
    const { auth } = site.site.services;
    await stopTime(page);
    await site.request(ADA);
    await t.step("the button appears after a countdown, and sends the link again", async () => {
      for (const wait of [60, 59]) {
        await page.getByText(`another link in ${wait} s`).waitFor();
        await page.clock.runFor(1000);
      }
      // The countdown does not depend on the system clock, which may change.
      await page.clock.setSystemTime(Date.now() - DAY_MS);
      await page.clock.runFor(57_000);
      await page.getByText("another link in 1 s").waitFor();
      assertEquals(await site.again.count(), 0);
      await page.clock.runFor(1000);
      await site.again.click();
      await page.getByText("Sent again.").waitFor();
      assertEquals(await site.mails(ADA), 2);
      assertEquals(await site.again.count(), 0);
      assertEquals(await site.focused(), "Check your inbox");
    });
    await t.step("a 429 is shown next to the resend button and on the form", async () => {
      await page.clock.runFor(60_000);
      const { requestLink } = auth;
      auth.requestLink = () =>
        Promise.resolve(
          fail("rate_limited", { message: "Too many links.", retryAfterSeconds: 60 }),
        );
      await site.again.click();
      await page.getByRole("status").getByText("Too many links.").waitFor();
      await site.otherAddress.click();
      assertEquals(await site.field.inputValue(), ADA);
      await site.submit.click();
      await page.getByRole("alert").getByText("Too many links.").waitFor();
      assertEquals(await site.field.inputValue(), ADA);
      auth.requestLink = requestLink;
      await site.submit.click();
      await site.inbox.waitFor();
    });
    await t.step("a late response does not replace the form after going back", async () => {
      await page.clock.runFor(60_000);
      const held = Promise.withResolvers<void>();
      await page.route("**/api/auth/request", async (route) => {
        await held.promise;
        await route.continue().catch(() => {}); // the page may have been closed
      });
      await site.again.click();
      await page.locator("[aria-busy=true]").waitFor();
      await site.otherAddress.click();
      await site.field.fill("other@example.org");
      held.resolve();
      await page.unrouteAll({ behavior: "wait" });
      assertEquals(await site.field.inputValue(), "other@example.org");
      await site.submit.click();
      await site.inbox.waitFor();
      await page.getByText("other@example.org").waitFor();
    });
  },
);

test("signing in, resending and signing out work without scripts", {
  context: { javaScriptEnabled: false },
  expectedErrors: [/status of 400 .*\/api\/auth\/request\)$/],
}, async (page, context) => {
  await using site = await openSite(page, context);
  const { field, again } = site;
  await site.open("/account");
  assertEquals(page.url(), site.url("/auth"));
  await field.fill("nonsense");
  await site.submit.click();
  await page.getByText("not an email address").waitFor();
  assertEquals(await field.inputValue(), "nonsense");
  assert(await field.getAttribute("aria-invalid"));
  await site.send(ADA);
  await page.getByText(ADA).waitFor();

  await page.waitForLoadState();
  assertEquals(await again.isVisible(), false);
  const wait = await page.locator(".resend").evaluate((form) => {
    const [animation] = form.getAnimations();
    const { delay } = animation.effect!.getTiming();
    animation.finish();
    return delay;
  });
  assertEquals(wait, 60_000);
  await again.click();
  await again.waitFor({ state: "hidden" }); // the countdown restarts on the new page
  assertEquals(await site.mails(ADA), 2);

  await site.openLink(ADA);
  assertEquals(page.url(), site.url("/account"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(site.url("/"));
  assertEquals(await site.session(), undefined);
  await site.openLink(ADA);
  assert(await page.getByText("That link has expired").isVisible());
});

test(
  "a video is downloaded, and can be paused below the card, only without a preference for reduced motion",
  {},
  async (page, context) => {
    await using site = await openSite(page, context);
    const requested = new Set<string>();
    page.on("request", (request) => {
      if (/\.(webm|mp4)/.test(request.url())) requested.add(request.url());
    });
    for (const [reducedMotion, videos] of [["reduce", 0], ["no-preference", 1]] as const) {
      await page.emulateMedia({ reducedMotion });
      const started = videos > 0 && page.waitForResponse(/\.webm/);
      await page.goto(site.url("/auth"), { waitUntil: "load" });
      await started;
      await page.evaluate(() => new Promise(requestAnimationFrame));
      assertEquals(requested.size, videos, reducedMotion);
      const picture = page.locator(".backdrop img");
      assert(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    }
    const pause = page.getByRole("button", { name: "Pause the background" });
    await pause.click({ trial: true });
    await page.setViewportSize({ width: 640, height: 400 });
    await pause.click();
    await page.getByRole("button", { name: "Play the background" }).waitFor();
    assert(await page.locator("video").evaluate((video: HTMLVideoElement) => video.paused));
    for (const viewport of [{ width: 640, height: 400 }, { width: 320, height: 480 }]) {
      await page.setViewportSize(viewport);
      const [card, button] = await Promise.all(
        [".auth-card", ".backdrop-toggle"].map((selector) => page.locator(selector).boundingBox()),
      );
      assert(card!.y + card!.height <= button!.y, `at a width of ${viewport.width} px`);
    }
  },
);

test("every state passes axe-core in both schemes, fits a width of 320 px and shows its problem", {
  context: { viewport: { width: 320, height: 640 } },
  expectedErrors: [
    /(status of 400|ERR_FAILED) .*\/api\/auth\/request\)$/,
  ],
}, async (page, context, t) => {
  await using site = await openSite(page, context);
  const { field } = site;
  const check = async (state: string) => {
    assertEquals(await sidewaysScroll(page), 0, state);
    assertEquals(await axeViolationsInBothSchemes(page), [], state);
  };
  await stopTime(page);
  await site.open("/auth?error=expired");
  await check("expired");
  for (const [typed, problem] of [["", "Enter your email"], ["nonsense", "not an email address"]]) {
    await t.step(`“${typed}” is kept and has the focus: “${problem}”`, async () => {
      await field.fill(typed);
      await site.submit.click();
      await page.locator("#field-email-problem", { hasText: problem }).waitFor();
      assertEquals(await field.inputValue(), typed);
      assertEquals(await site.focused(), "field-email");
      assertEquals(await field.getAttribute("aria-invalid"), "true");
      assertEquals(await field.getAttribute("aria-describedby"), "field-email-problem");
    });
  }
  await check("problem");
  await t.step("a request that fails is reported as an unreachable site", async () => {
    await page.route("**/api/auth/request", (route) => route.abort());
    await field.fill(ADA);
    await site.submit.click();
    await page.getByRole("alert").getByText("The site could not be reached.").waitFor();
    await page.unrouteAll();
  });
  await site.send(ADA);
  await check("sent");
  await page.clock.runFor(60_000);
  await site.again.waitFor();
  await check("resend");
  await t.step(
    "after three requests for an address, the next one is offered an hour after the first",
    async () => {
      const asked = page.getByText("You have asked for 3 links");
      await site.again.click();
      await page.getByText("Sent again.").waitFor();
      assertEquals(await asked.count(), 0);
      await page.clock.fastForward(60_000);
      await site.again.click();
      await asked.waitFor();
      await page.getByText("another link in 58 minutes").waitFor();
      await check("asked three times");

      await site.otherAddress.click();
      await site.send("other@example.org");
      await page.getByText("another link in 60 s").waitFor();
      assertEquals(await asked.count(), 0, "each address has its own limit");
      await page.reload();
      await site.send(` ${ADA.toUpperCase()}`);
      await page.getByText("another link in 58 minutes").waitFor();
      await page.clock.fastForward(58 * 60_000);
      await site.again.waitFor();
      assertEquals(await asked.count(), 0);
    },
  );
  await t.step("the note about an expired link is gone after requesting a new one", async () => {
    await site.otherAddress.click();
    await field.waitFor();
    assertEquals(await page.getByText("That link has expired").count(), 0);
  });
  await site.openLink(ADA);
  await check("account");
});
