import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolationsInBothSchemes, sidewaysScroll, testBrowser } from "./browser.ts";
import { addAuthenticator } from "./virtual_authenticator.ts";
import { type OperatorPasskeyFixture, operatorPasskeyFixture } from "./operator_passkey_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

let fixture: OperatorPasskeyFixture;
const browser = testBrowser();
const test = withoutMotion(browser);
Deno.test.beforeAll(async () => {
  fixture = await serveOnFreePort((env) => operatorPasskeyFixture(env));
});
Deno.test.afterAll(async () => {
  await browser.close();
  await fixture[Symbol.asyncDispose]();
});

const urlOf = (path: string) => fixture.site.services.surfaces.url("commercial-console", path)!;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens a page with the session of an operator who has just opened a mailed link. */
async function openByLink(page: Page, path: string): Promise<void> {
  const { cookie } = await fixture.byLink();
  const [name, value] = cookie.split("=");
  await page.context().clearCookies();
  await page.context().addCookies([{
    ...{ name, value, url: urlOf("/"), httpOnly: true, sameSite: "Lax" },
  }]);
  await page.goto(urlOf(path));
}

test("an operator adds a passkey, is asked for it with a form, and signs in with it", {
  expectedErrors: [/status of 403 .*\/console\//],
}, async (page, _context, t) => {
  const authenticator = await addAuthenticator(page);

  await t.step("a passkey is added", async () => {
    await openByLink(page, "/console/team");
    await button(page, "Add a passkey").click();
    await page.getByText("The passkey was added.").waitFor();
    assertEquals(await authenticator.stored(), 1);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.setViewportSize({ width: 320, height: 700 });
    assertEquals(await sidewaysScroll(page), 0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.step("a form continues after the passkey, with what was entered", async () => {
    await openByLink(page, "/console/records");
    const posted: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url() === urlOf("/console/records")) {
        posted.push(request.postData() ?? "");
      }
    });
    await page.evaluate(() => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = "/console/records";
      for (const [name, value] of [["q", 'O\'Neill & "Sons"'], ["format", "csv"]]) {
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name, value });
        form.append(field);
      }
      document.body.append(form);
      form.submit();
    });
    await page.getByRole("heading", { name: "Use your passkey" }).waitFor();
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.setViewportSize({ width: 320, height: 700 });
    assertEquals(await sidewaysScroll(page), 0);
    await page.setViewportSize({ width: 1280, height: 800 });
    const download = page.waitForEvent("download");
    await button(page, "Use your passkey").click();
    assertStringIncludes((await download).suggestedFilename(), ".csv");
    await page.getByText("The download has started.").waitFor();
    assertEquals(posted.length, 2);
    assertEquals(posted[0], posted[1]);
  });

  await t.step("it signs in by autofill, and leads back", async () => {
    await page.context().clearCookies();
    // The page offers the passkey, and the authenticator accepts at once.
    await page.goto(urlOf("/auth?next=/console/payments"));
    await page.getByRole("heading", { name: "Payments" }).waitFor();
  });

  await t.step("it is removed, also from the authenticator", async () => {
    await page.goto(urlOf("/console/team"));
    await page.getByText("Rename or remove").click();
    await button(page, "Remove this passkey").click();
    await page.getByText("The passkey was removed.").waitFor();
  });
});
