import { assert, assertEquals } from "@std/assert";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite({ SIGN_IN_CLIENT_LIMIT: "0" });
const test = withoutMotion(browser);
const { surfaces, mailer } = site.services;

const mail = async (email: string) => {
  await site.request("site", "/api/auth/request", {
    method: "POST",
    body: new URLSearchParams({ email }),
  });
  await mailer.flush();
};

test("a new mail appears in an open outbox, which keeps the focus and what is open", {
  context: { viewport: { width: 320, height: 740 } },
  // The test's clock is a script, which the frames of the mails do not run.
  expectedErrors: [/Blocked script execution .* because the document's frame is sandboxed/],
}, async (page) => {
  await mail("first@example.org");
  await page.clock.install();
  await page.goto(surfaces.url("workbench", "/dev/outbox")!);
  const messages = page.locator("details.message");
  const focused = () => page.evaluate(() => document.activeElement!.id);
  await messages.first().locator("summary").focus();
  const id = await focused();
  await mail("second@example.org");
  await becomes(async () => {
    await page.clock.runFor(2_000);
    return await messages.count();
  }, 2);
  assertEquals(await messages.evaluateAll((all) => all.map((each) => each.hasAttribute("open"))), [
    true,
    true,
  ]);
  assert(await messages.first().getByText("To second@example.org").isVisible());
  const shown = page.frameLocator("iframe").first().getByRole("link", { name: "Sign in" });
  const color = () => shown.evaluate((one) => getComputedStyle(one).backgroundColor);
  await becomes(color, "rgb(15, 118, 110)"); // the mail's inline styles apply
  assertEquals(await page.getByText("Newest", { exact: true }).count(), 1);
  assertEquals(await focused(), id);
  assertEquals(await page.locator("#inbox-mail .inbox-count").innerText(), "2");
  assertEquals([await axeViolationsInBothSchemes(page), await sidewaysScroll(page)], [[], 0]);
});
