import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { CONFIG } from "../lib/features/contact/config.ts";
import { becomes, testBrowser } from "./browser.ts";
import { fillIn, NARROW, openPage, submitOf } from "./contact_page.ts";
import { startTestPhone } from "./phone_site.ts";
import { decode } from "./qr_codes.ts";
import { recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const STILL = { viewport: NARROW, reducedMotion: "reduce" } as const;
const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();
const kindsOf = (page: Page) => page.locator(".scroller .row .kind small").allTextContents();

test("from the contact form to level 3, a key, and a stranger who checks it", {
  context: STILL,
}, async (page, context) => {
  await using phone = startTestPhone();
  await using fixture = await serveOnFreePort((env) => recordFixture(env, phone.overrides));
  const { site } = fixture;
  const { codes } = site.services;
  phone.connect(site);
  const authenticator = await context.newCDPSession(page);
  await authenticator.send("WebAuthn.enable");
  await authenticator.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });

  // Register, and confirm the address with the link in the mail.
  await openPage(page, site, "investor");
  await fillIn(page);
  await submitOf(page).click();
  await page.locator(".receipt").waitFor();
  const [{ link }] = await fixture.mails();
  await page.clock.resume();
  await page.goto(link!);
  await button(page, "Confirm").click();
  await page.getByRole("link", { name: "Open my record" }).click();
  await heading(page, "Level 1 of 4");

  // Add a passkey, sign out, and sign in by autofill, which the authenticator completes at once.
  const unfold = (title: string) => page.locator("summary", { hasText: title }).click();
  await unfold("Passkeys");
  await button(page, "Add a passkey").click();
  await page.getByText("The passkey was added.").waitFor();
  await button(page, "Sign out").click();
  await unfold("Access log");
  await page.getByText("Signed in with a passkey").waitFor();

  // Confirm the number with the code that the phone shows.
  await unfold("Mobile number");
  await page.getByRole("link", { name: "Confirm this number" }).click();
  await button(page, "Text me a code").click();
  await page.getByLabel("Code").waitFor();
  await codes.flush();
  await phone.settled();
  const messages = await (await site.request("workbench", "/dev/phone")).text();
  const [, code] = /<pre\b[^>]*>[^<]*#(\d{6})/.exec(messages)!;
  await page.getByLabel("Code").fill(code);
  await button(page, "Confirm number").click();
  await unfold("Mobile number");
  await page.getByText("confirmed on").waitFor();

  // Declare: the passkey and the number already meet the conditions of level 3.
  await page.locator("#level").getByRole("link", { name: "Make a declaration" }).click();
  await page.getByLabel("Your declaration").fill("To show partners who I am and since when.");
  await page.getByRole("checkbox").check();
  await page.locator("main").getByRole("button").click();
  await heading(page, "Level 3 of 4");

  // Get the key.
  await page.getByRole("link", { name: "Get your key" }).click();
  await button(page, "Create my key").click();
  await heading(page, "Your new key");
  const address = await decode(page.locator(".key-sheet .qr").first());
  assertMatch(address, /\/k#\w{26}$/);
  await page.getByRole("link", { name: "Back to my record" }).click();
  await page.getByText(CONFIG.COPY.WATCHING).waitFor();
  assertEquals(await kindsOf(page), [
    "hash_generated",
    "email_confirmed",
    "sms_confirmed",
    "k2_delivered",
  ]);

  // A stranger scans the key, and the holder's page shows it.
  await browser.withPage({ context: STILL }, async (stranger) => {
    await stranger.goto(address);
    await stranger.getByRole("heading", { name: "The record's chain is intact" }).waitFor();
    await becomes(async () => {
      await page.clock.fastForward(CONFIG.POLL_INTERVAL);
      return (await kindsOf(page)).at(-1);
    }, "record_verified");
    assertEquals((await stranger.locator("main").innerText()).includes("Ada"), false);
  });
  await page.locator(".scroller").evaluate((scroller) => scroller.scrollTop = 0);
  await page.getByText(CONFIG.COPY.BEGINNING).waitFor();
});
