import type { Page } from "playwright-core";
import { assertEquals, assertMatch } from "@std/assert";
import { axeViolations, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const ON = "commercial-console" as const;
const PATH = "/console/inbox";

/** Serves a site with three enquiries, the newest first, and signs in to the console. */
async function inboxSite(page: Page) {
  const fixture = await serveOnFreePort((env) => recordFixture(env));
  const { auth, surfaces, inbox } = fixture.site.services;
  const hashes: string[] = [];
  for (const name of ["Cleo", "Ben", "Ada"]) {
    hashes.unshift(await fixture.register({ ...PERSON, name, email: `${name}@example.org` }));
    fixture.clock.now += 1_000;
  }
  const { token } = await auth.issueLink({ email: "admin@example.org", surface: ON });
  const { sessionId } = (await auth.verify(token, ON))!;
  await page.context().addCookies([
    { name: "app_session", value: sessionId, url: surfaces.url(ON)! },
  ]);
  return {
    ...fixture,
    hashes,
    open: (path: string) => page.goto(surfaces.url(ON, path)!),
    state: async (hash: string) => (await inbox.read("commercial", hash))!.row.state,
  };
}

const focused = (page: Page) => () =>
  page.evaluate(() => document.activeElement?.textContent?.slice(0, 3));

test(
  "by keyboard: choose an enquiry, reply, close it and go on with the next one",
  { context: { viewport: { width: 1280, height: 800 } } },
  async (page) => {
    await using fixture = await inboxSite(page);
    const [ada, ben, cleo] = fixture.hashes;
    await fixture.open(PATH);
    await page.getByText("next and previous").waitFor(); // the scripts have loaded
    await page.keyboard.press("j");
    await becomes(focused(page), "Ada");
    await page.keyboard.press("j");
    await becomes(focused(page), "Ben");
    await page.keyboard.press("k");
    await becomes(focused(page), "Ada");
    await page.keyboard.press("r"); // opens the enquiry at its reply
    await page.waitForURL(`**${PATH}/${ada}#*`);
    await becomes(() => page.evaluate(() => document.activeElement?.id), "field-text");
    await fixture.open(PATH);
    await page.getByText("next and previous").waitFor();
    await page.keyboard.press("j");
    await becomes(focused(page), "Ada");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${PATH}/${ada}`);

    await page.getByText("next and previous").waitFor();
    await page.keyboard.press("r");
    await page.keyboard.type("Dear Ada, jerk");
    assertEquals(await axeViolations(page), []);
    await page.reload(); // such as after the session has ended
    const field = page.getByLabel("Reply to ada@example.org");
    await becomes(() => field.inputValue(), "Dear Ada, jerk");
    await page.getByLabel("Your name in the email").fill("Grace");
    await page.getByRole("button", { name: "Send reply" }).click();
    await page.getByText("The reply is written").waitFor();
    assertEquals(await field.inputValue(), "");
    assertEquals(await fixture.state(ada), "answered");
    assertEquals(await page.getByLabel("Your name in the email").isVisible(), false);

    await fixture.open(`${PATH}/${ben}`);
    await page.getByText("next and previous").waitFor();
    await page.keyboard.press("e");
    await page.getByText("The enquiry of Ben is closed").waitFor();
    assertMatch(page.url(), new RegExp(`${PATH}/${cleo}`));
    assertEquals(await fixture.state(ben), "closed");
    // A click right after the result has appeared does nothing, because it may be a double click's.
    const undo = page.getByRole("button", { name: "Undo" });
    const reopened = page.getByText("The enquiry is open again");
    await becomes(async () => {
      // When the click has worked, there may be no button left for the next one.
      await undo.or(reopened).first().click();
      return await fixture.state(ben);
    }, "open");
    await reopened.waitFor();

    await page.setViewportSize({ width: 320, height: 700 });
    for (const path of [PATH, `${PATH}/${ada}`, "/console"]) {
      await fixture.open(path);
      assertEquals([path, await sidewaysScroll(page)], [path, 0]);
      if (path === PATH) assertEquals(await axeViolations(page), []);
    }
  },
);
