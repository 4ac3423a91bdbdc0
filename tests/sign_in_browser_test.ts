import { assert, assertEquals, assertMatch } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { axeViolations } from "./browser.ts";
import { fail } from "../lib/result.ts";
import { servedSite } from "./served_site.ts";

const { site, browser } = await servedSite({ SIGN_IN_CLIENT_LIMIT: "0" });

const url = (path: string, surface: "site" | "foundation-console" = "site") =>
  site.services.surfaces.url(surface, path)!;

let people = 0;
const somebody = () => `person-${++people}@example.org`;

async function mailedLink(): Promise<string> {
  await site.services.mailer.flush();
  return site.services.outbox!.list()[0].link!;
}

const mailsTo = async (email: string) => {
  await site.services.mailer.flush();
  return site.services.outbox!.list().filter(({ to }) => to === email).length;
};

const field = (page: Page) => page.getByLabel("Email address");
const submit = (page: Page) => page.getByRole("button", { name: "Send link →" });
const inbox = (page: Page) => page.getByRole("heading", { name: "Check your inbox" });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);

async function ask(page: Page, email: string, path = "/auth"): Promise<void> {
  await page.goto(url(path));
  await field(page).fill(email);
  await submit(page).click();
  await inbox(page).waitFor();
}

/** Stops the page's time, so that it goes on only as far as the test lets it. */
async function stopTime(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
}

const session = async (context: BrowserContext) =>
  (await context.cookies(url("/"))).find(({ name }) => name === "app_session");

browser.test("the whole way: the page, the mail, the account, signing out, the old link", {
  context: { viewport: { width: 1280, height: 800 } },
}, async (page, context) => {
  const email = somebody();
  await page.goto(url("/auth"));
  await page.getByRole("heading", { name: "Sign in or create your account" }).waitFor();
  const card = await page.locator("main").boundingBox();
  assertEquals(card!.width, 420);
  await field(page).fill(email);
  await submit(page).click();
  await inbox(page).waitFor();
  assertEquals(await focused(page), "Check your inbox");
  assert(await page.getByText(email).isVisible());

  const link = await mailedLink();
  await page.goto(link);
  assertEquals(page.url(), url("/account"));
  assert(await page.getByRole("heading", { name: `Welcome, ${email}` }).isVisible());
  assert(await page.getByText("Your dashboard is being set up.").isVisible());
  assert(await page.getByRole("heading", { name: "Scope analysis" }).isVisible());
  const cookie = await session(context);
  assertEquals([cookie?.httpOnly, cookie?.secure, cookie?.sameSite], [true, true, "Lax"]);

  await page.getByRole("link", { name: "Explore qualifications →" }).click();
  await page.waitForURL(url("/"));
  await page.goto(url("/account"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(url("/"));
  assertEquals(await session(context), undefined);
  await page.goBack();
  assertEquals(page.url(), url("/auth"), "the account is not kept for Back");

  await page.goto(link);
  assertEquals(page.url(), url("/auth?error=expired"));
  assert(await page.getByText("That link has expired, or was used before.").isVisible());
  await field(page).fill(email);
  await submit(page).click();
  await inbox(page).waitFor();
  await page.goto(await mailedLink());
  assertEquals(page.url(), url("/account"));
});

browser.test("after 60 seconds, and not before, the link can be sent again", {}, async (page) => {
  await stopTime(page);
  const email = somebody();
  await ask(page, email);
  const again = page.getByRole("button", { name: "Send the link again" });
  for (const wait of [60, 59]) {
    await page.getByText(`another link in ${wait} s`).waitFor();
    await page.clock.runFor(1000);
  }
  // Somebody sets the time of day back, which is not what is counted.
  await page.clock.setSystemTime(Date.now() - 24 * 3_600_000);
  await page.clock.runFor(57_000);
  await page.getByText("another link in 1 s").waitFor();
  assertEquals(await again.count(), 0);
  await page.clock.runFor(1000);
  await again.click();
  await page.getByText("Sent again.").waitFor();
  assertEquals(await mailsTo(email), 2);
  assertEquals(await again.count(), 0);
  assertEquals(await focused(page), "Check your inbox");
});

browser.test("a client over its limit is told so beside the resend button and on the form", {
  expectedErrors: [/429/],
}, async (page) => {
  await stopTime(page);
  const { auth } = site.services;
  const { requestLink } = auth;
  const email = somebody();
  await ask(page, email);
  await page.clock.runFor(60_000);
  auth.requestLink = () =>
    Promise.resolve(fail("rate_limited", { message: "Too many links.", retryAfterSeconds: 60 }));
  try {
    await page.getByRole("button", { name: "Send the link again" }).click();
    await page.getByRole("status").getByText("Too many links.").waitFor();
    await page.getByRole("link", { name: "use another address" }).click();
    assertEquals(await field(page).inputValue(), email);
    await submit(page).click();
    await page.getByRole("alert").getByText("Too many links.").waitFor();
    assertEquals(await field(page).inputValue(), email);
  } finally {
    auth.requestLink = requestLink;
  }
  await submit(page).click();
  await inbox(page).waitFor();
});

browser.test(
  "a request beyond three links an hour shows the same page and mails nothing",
  {},
  async (page) => {
    const email = somebody();
    for (let i = 0; i < 4; i++) await ask(page, email);
    await page.getByText("at most three links per hour").waitFor();
    assertEquals(await mailsTo(email), 3);
  },
);

browser.test("a console says that only addresses with access get a link", {}, async (page) => {
  const email = somebody();
  await page.goto(url("/auth", "foundation-console"));
  await field(page).fill(email);
  await submit(page).click();
  await page.getByText(`We sent a link to ${email}, if this address may sign in here.`).waitFor();
  assertEquals(await mailsTo(email), 0);
});

browser.test("what is wrong stands at the field, which keeps what was typed and gets the focus", {
  expectedErrors: [/400/],
}, async (page) => {
  await page.goto(url("/auth"));
  for (const [typed, problem] of [["", "Enter your email"], ["nonsense", "not an email address"]]) {
    await field(page).fill(typed);
    await submit(page).click();
    await page.getByText(problem).waitFor();
    assertEquals(await field(page).inputValue(), typed);
    assertEquals(await focused(page), "field-email");
    assertEquals(await field(page).getAttribute("aria-invalid"), "true");
    assertEquals(await field(page).getAttribute("aria-describedby"), "field-email-problem");
  }
});

browser.test("a site that cannot be reached is said to be so", {
  expectedErrors: [/ERR_FAILED/],
}, async (page) => {
  await page.goto(url("/auth"));
  await page.route("**/api/auth/request", (route) => route.abort());
  await field(page).fill(somebody());
  await submit(page).click();
  await page.getByRole("alert").getByText("The site could not be reached.").waitFor();
});

browser.test(
  "an answer that comes late does not take away the form that one has gone back to",
  {},
  async (page) => {
    await stopTime(page);
    await ask(page, somebody());
    await page.clock.runFor(60_000);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/auth/request", async (route) => {
      await held.promise;
      await route.continue().catch(() => {}); // it may be gone
    });
    await page.getByRole("button", { name: "Send the link again" }).click();
    await page.locator("[aria-busy=true]").waitFor();
    await page.getByRole("link", { name: "use another address" }).click();
    await field(page).fill("other@example.org");
    held.resolve();
    await page.unrouteAll({ behavior: "wait" });
    assertEquals(await field(page).inputValue(), "other@example.org");
    await submit(page).click();
    await inbox(page).waitFor();
    await page.getByText("other@example.org").waitFor();
  },
);

browser.test(
  "that a link has expired is not said again once there is a new one",
  {},
  async (page) => {
    await ask(page, somebody(), "/auth?error=expired");
    await page.getByRole("link", { name: "use another address" }).click();
    await field(page).waitFor();
    assertEquals(await page.getByText("That link has expired").count(), 0);
  },
);

browser.test("by keyboard alone", {}, async (page) => {
  const email = somebody();
  await page.goto(url("/auth"));
  while (await focused(page) !== "field-email") await page.keyboard.press("Tab");
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await inbox(page).waitFor();
  await page.goto(await mailedLink());
  await page.keyboard.press("Tab");
  assertEquals(await focused(page), "Skip to content");
  while (await focused(page) !== "Sign out") await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(url("/"));
});

browser.test("without scripts it is the same way", {
  context: { javaScriptEnabled: false },
  expectedErrors: [/400/],
}, async (page, context) => {
  const email = somebody();
  await page.goto(url("/account"));
  assertEquals(page.url(), url("/auth"));
  await field(page).fill("nonsense");
  await submit(page).click();
  await page.getByText("not an email address").waitFor();
  assertEquals(await field(page).inputValue(), "nonsense");
  assert(await field(page).getAttribute("aria-invalid"));
  await field(page).fill(email);
  await submit(page).click();
  await inbox(page).waitFor();
  await page.getByText(email).waitFor();

  const again = page.getByRole("button", { name: "Send the link again" });
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
  await again.waitFor({ state: "hidden" }); // on the new page the minute begins anew
  assertEquals(await mailsTo(email), 2);

  const link = await mailedLink();
  await page.goto(link);
  assertEquals(page.url(), url("/account"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(url("/"));
  assertEquals(await session(context), undefined);
  await page.goto(link);
  assert(await page.getByText("That link has expired").isVisible());
});

browser.test("a console's sign-in leads back to it", {}, async (page) => {
  await page.goto(url("/console?tab=2", "foundation-console"));
  assertEquals(new URL(page.url()).pathname, "/auth");
  await field(page).fill("admin@example.org");
  await submit(page).click();
  await inbox(page).waitFor();
  await page.goto(await mailedLink());
  assertEquals(page.url(), url("/console?tab=2", "foundation-console"));
  await page.goto(url("/account"));
  assertEquals(page.url(), url("/auth"));
});

browser.test("without scripts, who uses another address still comes back to the console", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  await page.goto(url("/console?tab=2", "foundation-console"));
  await field(page).fill(somebody());
  await submit(page).click();
  await page.getByRole("link", { name: "use another address" }).click();
  await field(page).fill("board@example.org");
  await submit(page).click();
  await inbox(page).waitFor();
  await page.goto(await mailedLink());
  assertEquals(page.url(), url("/console?tab=2", "foundation-console"));
});

for (const [reducedMotion, films] of [["no-preference", 1], ["reduce", 0]] as const) {
  browser.test(`with motion ${reducedMotion}, ${films} films are asked for`, {
    context: { reducedMotion },
  }, async (page) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/\.(webm|mp4)/.test(request.url())) asked.push(request.url());
    });
    const begun = films > 0 && page.waitForResponse(/\.webm/);
    await page.goto(url("/auth"), { waitUntil: "load" });
    await begun;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assertEquals(new Set(asked).size, films);
    const picture = page.locator(".backdrop img");
    assert(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    if (films === 0) return;
    await page.getByRole("button", { name: "Pause the background" }).click();
    await page.getByRole("button", { name: "Play the background" }).waitFor();
    assert(await page.locator("video").evaluate((film: HTMLVideoElement) => film.paused));
  });
}

for (const colorScheme of ["dark", "light"] as const) {
  for (const [width, height] of [[1280, 800], [320, 640]]) {
    browser.test(`nothing breaks a rule of axe-core in ${colorScheme} at ${width} px`, {
      context: { colorScheme, viewport: { width, height }, reducedMotion: "reduce" },
      expectedErrors: [/400/],
    }, async (page) => {
      const fine = async (state: string) => {
        assertEquals(await axeViolations(page), [], state);
        const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
        assertEquals(scrollWidth, clientWidth, state);
      };
      await page.clock.install();
      await page.goto(url("/auth?error=expired"));
      await fine("expired");
      await field(page).fill("nonsense");
      await submit(page).click();
      await page.getByText("not an email address").waitFor();
      await fine("a problem");
      await ask(page, somebody());
      await fine("sent");
      await page.clock.runFor(60_000);
      await page.getByRole("button", { name: "Send the link again" }).waitFor();
      await fine("to be sent again");
      await page.goto(await mailedLink());
      await fine("the account");
      await page.goto(site.services.surfaces.url("workbench", "/dev/outbox")!);
      assertMatch(await page.textContent("main") ?? "", /Sign in to Qualpack/);
      await fine("the outbox");
    });
  }
}
