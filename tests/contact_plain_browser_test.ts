import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { renderToString } from "preact-render-to-string";
import { h } from "preact";
import { EnquiryForm } from "../components/contact/EnquiryPage.tsx";
import { contactUrls } from "../lib/contact/mod.ts";
import { axeViolations, becomes } from "./browser.ts";
import { servedSite } from "./served_site.ts";

const { site, browser } = await servedSite({ CONTACT_CLIENT_LIMIT: "0" });
const { services } = site;
const url = (surface: "investor" | "trust" | "api", path: string) =>
  services.surfaces.url(surface, path)!;

/** A page of the investor surface with nothing but the form, under that surface's own policy. */
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

/** What a browser says of a form that came back with its errors. */
const REFUSED = [/status of 400 .*\/api\/ir\/register/];

const linkOf = async (email: string) => {
  await services.mailer.flush();
  return services.outbox!.list().find(({ to }) => to === email)!.link!;
};

/** Waits for a page by its heading, and then for all that it loads: styles are part of it. */
async function arrive(page: Page, heading: string): Promise<void> {
  await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), heading);
  await page.waitForLoadState();
}

for (
  const [title, context] of [
    ["at a desk", { viewport: { width: 1280, height: 800 } }],
    ["on a phone", { viewport: { width: 375, height: 700 } }],
  ] as const
) {
  browser.test(
    `without scripts, ${title}: the form, its errors, the receipt, the mail, the button`,
    {
      context: { ...context, javaScriptEnabled: false },
      expectedErrors: REFUSED,
    },
    async (page) => {
      const email = `person-${context.viewport.width}@example.org`;
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
      await arrive(page, "Your enquiry is registered");
      assert(await page.getByText("p•••@e•••.org").isVisible());
      assert(await page.getByRole("img", { name: /QR code/ }).isVisible());
      const verify = await page.getByRole("link", { name: "Verify this record" }).getAttribute(
        "href",
      );
      const hash = new URL(verify!).searchParams.get("hash")!;
      const scroll = await page.locator("html").evaluate((html) => html.scrollWidth);
      assert(scroll <= context.viewport.width, `${scroll} px wide`);

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
}

for (const colorScheme of ["light", "dark"] as const) {
  browser.test(
    `everybody can use the form, its errors, the receipt and the confirmation, ${colorScheme}`,
    {
      context: { colorScheme },
      expectedErrors: REFUSED,
    },
    async (page) => {
      const email = `${colorScheme}@example.org`;
      await openForm(page);
      assertEquals(await axeViolations(page), []);
      await page.getByRole("button").click();
      await page.waitForURL(url("api", "/api/ir/register"));
      assertEquals(await axeViolations(page), []);
      // The summary has the focus; then come its two problems, then the first field.
      assertMatch((await page.locator(":focus").textContent())!, /Please check your enquiry/);
      for (const expected of ["Enter your name.", "Enter your email address."]) {
        await page.keyboard.press("Tab");
        assertEquals(await page.locator(":focus").textContent(), expected);
      }
      await page.keyboard.press("Tab");
      assertEquals(await page.locator(":focus").getAttribute("name"), "name");
      // The trap is not on the way of the keyboard.
      const names: (string | null)[] = [];
      for (let i = 0; i < 7; i++) {
        await page.keyboard.press("Tab");
        names.push(await page.locator(":focus").getAttribute("name"));
      }
      assertEquals(names, [
        "organisation",
        "email",
        "mobile_country",
        "mobile_number",
        "enquiry_type",
        "message",
        null,
      ]);
      await page.getByLabel("Name").fill("Ada");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button").click();
      await arrive(page, "Your enquiry is registered");
      assertEquals(await axeViolations(page), []);
      await page.goto(await linkOf(email));
      assertEquals(await axeViolations(page), []);
      await page.getByRole("button", { name: "Confirm" }).click();
      await arrive(page, "Your email address is confirmed");
      await page.getByText("Your record and its salt").click();
      assertEquals(await axeViolations(page), []);
    },
  );
}

browser.test("the trap is out of sight", {}, async (page) => {
  await openForm(page);
  const box = await page.locator(".enquiry-extension").boundingBox();
  assert(box!.x + box!.width < 0, JSON.stringify(box));
});
