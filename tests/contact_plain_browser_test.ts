import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { renderToString } from "preact-render-to-string";
import { h } from "preact";
import { EnquiryForm } from "../components/contact/EnquiryPage.tsx";
import { CONTACT_FIELDS, controlsOf } from "../lib/features/contact/fields.ts";
import { contactUrls } from "../lib/features/contact/mod.ts";
import { axeViolationsInBothSchemes, becomes } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite({ CONTACT_CLIENT_LIMIT: "0" });
const test = withoutMotion(browser);
const { services } = site;
const url = (surface: "investor" | "trust" | "api", path: string) =>
  services.surfaces.url(surface, path)!;

/** Opens a page with only the form, under the investor surface's policy. */
async function openForm(page: Page): Promise<void> {
  const home = await site.request("investor", "/");
  await home.body?.cancel();
  const { register } = contactUrls(services.surfaces.get("investor")!, services)!;
  const form = renderToString(h(EnquiryForm, {
    action: register,
    renderedAt: new Date(Date.now() - 5_000).toISOString(),
    idempotencyKey: crypto.randomUUID(),
  }));
  await page.route(url("investor", "/form"), (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": home.headers.get("content-security-policy")! },
      body: `<!doctype html><html lang="en"><title>Form</title>
        <link rel="stylesheet" href="/styles/contact.css"><main><h1>Form</h1>${form}</main></html>`,
    }));
  await page.goto(url("investor", "/form"));
}

/** The browser's console message for a refused form. */
const REFUSED = [/status of 400 .*\/api\/ir\/register/];

const linkOf = async (email: string) => {
  await services.mailer.flush();
  return services.devOutbox!.list().find(({ to }) => to === email)!.link!;
};

/** Waits for a page with a heading, and then for its styles. */
async function arrive(page: Page, heading: string): Promise<void> {
  await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), heading);
  await page.waitForLoadState();
}

test(
  "without scripts, at 375 and 1280 px: form, errors, receipt, mail and confirmation",
  {
    context: { viewport: { width: 375, height: 700 }, javaScriptEnabled: false },
    expectedErrors: REFUSED,
  },
  async (page) => {
    const email = "person@example.org";
    await openForm(page);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Email").fill("ada@");
    await page.getByLabel("Message").fill("First line\nSecond line");
    await page.getByLabel("Enquiry type").selectOption("Technical");
    await page.getByRole("button").click();
    await page.waitForURL(url("api", "/api/ir/register"));
    await page.getByRole("alert").getByRole("link", { name: /not an email address/ }).click();
    assertEquals(await page.getByLabel("Name").inputValue(), "Ada");
    assertEquals(await page.getByLabel("Message").inputValue(), "First line\nSecond line");
    assertEquals(await page.getByLabel("Enquiry type").inputValue(), "Technical");

    await page.getByLabel("Email").fill(email);
    await page.getByRole("button").click();
    await arrive(page, "Your enquiry to Attest Systems is registered");
    assert(await page.getByText("p•••@e•••.org").isVisible());
    assert(await page.getByRole("img", { name: /QR code/ }).isVisible());
    const verify = await page.getByRole("link", { name: "Verify this record" }).getAttribute(
      "href",
    );
    const hash = new URL(verify!).searchParams.get("hash")!;
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      const scroll = await page.locator("html").evaluate((html) => html.scrollWidth);
      assert(scroll <= width, `${scroll} px wide at ${width} px`);
    }

    await page.goto(await linkOf(email));
    await arrive(page, "Confirm your email address");
    await page.getByRole("button", { name: "Confirm" }).click();
    await arrive(page, "Your email address is confirmed");
    assertEquals(page.url(), url("trust", "/confirm"));
    const { events } = (await services.chains.page(hash))!;
    assertEquals(events.map(({ kind }) => kind), ["hash_generated", "email_confirmed"]);
    await page.goBack();
    await page.reload();
    await arrive(page, "Your email address is already confirmed");
  },
);

test(
  "the form, its errors, the receipt and the confirmation pass axe-core and work by keyboard, and the honeypot is off-screen",
  { expectedErrors: REFUSED },
  async (page) => {
    const email = "keyboard@example.org";
    await openForm(page);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    const honeypot = (await page.locator(".enquiry-extension").boundingBox())!;
    assert(honeypot.x + honeypot.width < 0, JSON.stringify(honeypot));
    await page.getByRole("button").click();
    await page.waitForURL(url("api", "/api/ir/register"));
    assertEquals(await axeViolationsInBothSchemes(page), []);
    // The summary has the focus. The next stops are its two issues and the first field.
    assertMatch((await page.locator(":focus").textContent())!, /Please check your enquiry/);
    for (const expected of ["Enter your name.", "Enter your email address."]) {
      await page.keyboard.press("Tab");
      assertEquals(await page.locator(":focus").textContent(), expected);
    }
    await page.keyboard.press("Tab");
    assertEquals(await page.locator(":focus").getAttribute("name"), "name");
    // The honeypot is not reachable with the keyboard.
    const names: (string | null)[] = [];
    const controls = CONTACT_FIELDS.flatMap(controlsOf).slice(1);
    for (let i = 0; i <= controls.length; i++) {
      await page.keyboard.press("Tab");
      names.push(await page.locator(":focus").getAttribute("name"));
    }
    assertEquals(names, [...controls, null]);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button").click();
    await arrive(page, "Your enquiry to Attest Systems is registered");
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.goto(await linkOf(email));
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.getByRole("button", { name: "Confirm" }).click();
    await arrive(page, "Your email address is confirmed");
    await page.getByText("Your record and its random value").click();
    assertEquals(await axeViolationsInBothSchemes(page), []);
  },
);
