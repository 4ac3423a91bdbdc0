import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";
import { addAuthenticator } from "./virtual_authenticator.ts";

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

const urlOfRecord = () => fixture.site.services.surfaces.url("trust", "/my-record")!;

async function openRecord(page: Page): Promise<void> {
  const { cookie } = await fixture.holder();
  const url = urlOfRecord();
  const [name, value] = cookie.split("=");
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
  await page.goto(url);
  await unfold(page);
}

const section = (page: Page) => page.locator("#passkeys");
const unfold = (page: Page) => page.locator("summary", { hasText: "Passkeys" }).click();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const signOut = (page: Page) => button(page, "Sign out").click();

/**
 * Signs out and waits until the sign-in page offers passkeys in the email field's suggestions. With
 * nobody present, the offer stays pending.
 */
async function signOutAndWait(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
      document.documentElement.dataset.mediation = options?.mediation ?? "";
      return get(options);
    };
  });
  await signOut(page);
  await page.locator("html[data-mediation=conditional]").waitFor();
}

const isOpen = (page: Page) => page.getByRole("heading", { name: "My record" }).waitFor();

test("a holder adds, uses and removes a passkey; a refused one points to the link by mail", {
  expectedErrors: [/status of 401 .*\/api\/auth\/verify-passkey\)$/],
}, async (page, _context, t) => {
  const first = await addAuthenticator(page, {
    defaultBackupEligibility: true,
    defaultBackupState: true,
  });
  await openRecord(page);

  await t.step("a passkey is added once", async () => {
    await button(page, "Add a passkey").click();
    await section(page).getByText("The passkey was added.").waitFor();
    assertMatch(
      await section(page).getByRole("listitem").innerText(),
      /Synced · added .* not used/,
    );
    await button(page, "Add another passkey").click();
    await section(page).getByText("already has a passkey for your record").waitFor();
  });

  await t.step("it signs in by autofill and by button", async () => {
    await signOut(page); // the sign-in page offers the passkey, and the authenticator accepts at once
    await unfold(page);
    await section(page).getByRole("listitem").getByText("last used").waitFor();

    await first.present(false);
    await signOutAndWait(page);
    await first.present(true);
    await button(page, "Use a passkey").click();
    await isOpen(page);
  });

  await t.step("it is removed, also from the authenticator", async () => {
    await unfold(page);
    await section(page).getByText("Rename or remove").click();
    await page.setViewportSize({ width: 320, height: 700 });
    assertEquals(await sidewaysScroll(page), 0);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await button(page, "Remove this passkey").click();
    await section(page).getByText("The passkey was removed.").waitFor();
    await becomes(() => first.stored(), 0);
    await first.remove();
  });

  const second = await addAuthenticator(page);
  const problem = page.getByRole("alert");
  await t.step("a refused passkey points to the link by mail", async () => {
    await button(page, "Add a passkey").click();
    await section(page).getByText("On one device only ·").waitFor();
    await second.present(false);
    await signOutAndWait(page);
    const { cdp, authenticatorId } = second;
    await cdp.send("WebAuthn.setResponseOverrideBits", { authenticatorId, isBadUV: true });
    await second.present(true);
    await button(page, "Use a passkey").click();
    await problem.getByText("This passkey could not be used.").waitFor();
  });

  await t.step("a denied prompt points to the link by mail", async () => {
    await second.remove();
    // Chromium's virtual environment reports a denied prompt after the options' timeout.
    const json = { challenge: "A".repeat(43), rpId: "trust.localhost", timeout: 50 };
    await page.route("**/api/auth/verify-passkey", (route) => route.fulfill({ json }));
    await button(page, "Use a passkey").click();
    await problem.getByText("No passkey was used. If you have none").waitFor();
    assertEquals(await button(page, "Send me a link").isEnabled(), true);
  });
});

test(
  "a browser without passkeys shows no passkey button, and the link by mail",
  {},
  async (page) => {
    await page.addInitScript("delete globalThis.PublicKeyCredential");
    await page.goto(urlOfRecord());
    await button(page, "Send me a link").waitFor();
    await page.waitForLoadState("networkidle");
    assertEquals(await button(page, "Use a passkey").count(), 0);
    await openRecord(page);
    await section(page).getByText("This browser does not support passkeys.").waitFor();
  },
);
