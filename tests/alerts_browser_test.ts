import { assertEquals } from "@std/assert";
import { contactUrls, submissionSchema } from "../lib/features/contact/mod.ts";
import { serveBankSite } from "./bank_site.ts";
import { axeViolations, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { PERSON } from "./contact_site.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

test(
  "the count in the sidebar and the title follows the alerts while the page is visible",
  { context: { viewport: { width: 1280, height: 800 } } },
  async (page) => {
    await using fixture = await serveBankSite();
    const { alerts, surfaces } = fixture.site.services;
    const report = (problem: string) =>
      alerts.report({
        organisation: "commercial",
        kind: "push_failed",
        problem,
        details: { reason: "bad_certificate" },
      });
    await page.clock.install();
    await fixture.open(page, "commercial-console", "/console/alerts");
    const link = page.getByRole("link", { name: /^Alerts/ });
    const titleAndLink = async () => [await page.title(), await link.innerText()];
    const title = "Alerts · Attest Systems console";
    await becomes(titleAndLink, [title, "Alerts"]);

    await report("a");
    await fixture.site.services.contact.register(
      submissionSchema.parse({ ...PERSON, email: "new@example.org" }),
      { organisation: "commercial", clientAddress: "192.0.2.1" },
      contactUrls(surfaces.get("api")!, fixture.site.services)!,
    );
    await page.clock.runFor(30_000);
    await becomes(titleAndLink, [`(1) ${title}`, "Alerts\n1\nunread"]);
    const inbox = page.getByRole("navigation", { name: "Console" }).getByRole("link", {
      name: /^Inbox/,
    });
    await becomes(() => inbox.innerText(), "Inbox\n1\nnew");

    // While the page is hidden it asks for nothing, and at once when it is visible again.
    let requests = 0;
    page.on("request", () => requests++);
    const setVisibility = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await setVisibility("hidden");
    await report("b");
    await page.clock.runFor(90_000);
    assertEquals(requests, 0);
    await setVisibility("visible");
    await becomes(titleAndLink, [`(2) ${title}`, "Alerts\n2\nunread"]);

    await alerts.markRead("commercial", "other@example.org");
    await page.clock.runFor(30_000);
    await becomes(titleAndLink, [title, "Alerts"]);

    await page.reload();
    await page.setViewportSize({ width: 320, height: 700 });
    assertEquals(await axeViolations(page), []);
    assertEquals(await sidewaysScroll(page), 0);
  },
);
