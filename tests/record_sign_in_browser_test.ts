import { assert, assertEquals } from "@std/assert";
import { PERSON } from "./contact_site.ts";
import { NARROW } from "./contact_page.ts";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

test("without JavaScript, a holder confirms the address, signs out and signs in by mail", {
  context: { javaScriptEnabled: false, viewport: NARROW },
}, async (page) => {
  await using fixture = await serveOnFreePort((env) => recordFixture(env));
  const link = async () => (await fixture.mails())[0].link!;
  const hash = await fixture.register();
  const opens = async () => {
    await page.getByRole("heading", { name: "My record", exact: true }).waitFor();
    assert((await page.content()).includes(hash));
  };

  await page.goto(await link());
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("link", { name: "Open my record" }).click();
  await opens();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();

  await page.getByLabel("Email address").fill(PERSON.email);
  await page.getByRole("button", { name: "Send me a link" }).click();
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  const signIn = await link();
  const narrow = { viewport: NARROW, reducedMotion: "reduce" } as const;
  await browser.withPage({ context: narrow }, async (other) => {
    await other.goto(signIn); // in another browser, which says so
    await other.getByText("in another browser").waitFor();
    assertEquals(await axeViolationsInBothSchemes(other), []);
    assertEquals(await sidewaysScroll(other), 0);
  });
  await page.goto(signIn);
  assertEquals(await page.getByText("in another browser").count(), 0);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await opens();
});

test(
  "a holder who has asked for three links in this browser waits an hour from the first",
  {
    context: { viewport: NARROW },
  },
  async (page) => {
    await using fixture = await serveOnFreePort((env) => recordFixture(env));
    await page.clock.install();
    await page.goto(fixture.site.services.surfaces.url("trust", "/my-record")!);
    await page.getByLabel("Email address").fill("unknown@example.org");
    await page.getByRole("button", { name: "Send me a link" }).click();
    const again = page.getByRole("button", { name: "Send it again" });
    const wait = page.getByText("You have asked for 3 links");
    const asked = () =>
      page.evaluate(() => {
        const requests = JSON.parse(sessionStorage.getItem("sign_in_requests") ?? "{}");
        return Object.values(requests).flat().length;
      });
    await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
    // Each page looks like the one before it, and counts its request once its script has run.
    await becomes(asked, 1);
    await again.click();
    await becomes(asked, 2);
    assertEquals(await wait.count(), 0);
    await again.click();
    await wait.waitFor();
    assertEquals(await again.count(), 0);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    assertEquals(await sidewaysScroll(page), 0);
    await page.clock.fastForward(60 * 60_000);
    await again.waitFor();
    assertEquals(await wait.count(), 0);
  },
);
