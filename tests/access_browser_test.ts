import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { documentPath } from "../lib/features/documents/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { accessFixture, STRANGER } from "./access_site.ts";
import { axeViolations, sidewaysScroll, testBrowser } from "./browser.ts";
import { decode } from "./qr_codes.ts";
import { serveOnFreePort } from "./served_site.ts";
import { shareFixture } from "./share_site.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const press = (page: Page, name: string) => page.getByRole("button", { name }).press("Enter");

/** Checks a page that works without scripts, because it has none. */
async function assertFits(page: Page): Promise<void> {
  assertEquals(await page.locator("script").count(), 0);
  await assertAccessible(page);
}

async function assertAccessible(page: Page): Promise<void> {
  assertEquals(await axeViolations(page), []);
  assertEquals(await sidewaysScroll(page), 0);
}

test(
  "a stranger asks with the keyboard at 320 px, the holder approves, the stranger opens it",
  {
    context: { viewport: { width: 320, height: 700 } },
  },
  async (page) => {
    await using fixture = await serveOnFreePort((env) => accessFixture(env));
    const { site: { services }, document, owner } = fixture;
    const url = (path: string, on: SurfaceName = "trust") => services.surfaces.url(on, path)!;

    await page.goto(url(`/d/${document}`));
    await page.getByRole("link", { name: "Request access" }).press("Enter");
    await page.getByLabel("Your name").fill(STRANGER.name);
    await page.getByLabel("Email").fill(STRANGER.email);
    await page.getByLabel("Why you need the document").fill(STRANGER.reason);
    await assertFits(page);
    await press(page, "Request access");
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    const [confirmation] = await fixture.mails();
    await page.goto(confirmation.link!);
    await assertFits(page);
    await press(page, "Confirm and send the request");
    await page.getByRole("heading", { name: "Your request was sent" }).waitFor();
    const back = page.getByRole("main").locator(`a[href="${documentPath(document)}"]`);
    assertEquals(await back.count(), 1, "the page leads on");

    const signIn = async (context: BrowserContext, cookie: string, on: SurfaceName) => {
      const [name, value] = cookie.split("=");
      await context.addCookies([{ name, value, url: url("/", on) }]);
    };
    await browser.withPage(
      { context: { viewport: { width: 320, height: 700 }, reducedMotion: "reduce" } },
      async (page, context) => {
        const { token } = await services.auth.issueLink({
          email: "admin@example.org",
          surface: "commercial-console",
        });
        const { sessionId } = (await services.auth.verify(token, "commercial-console"))!;
        await signIn(context, `app_session=${sessionId}`, "commercial-console");
        await page.goto(url("/console/alerts", "commercial-console"));
        await page.getByRole("heading", { name: STRANGER.name }).waitFor();
        await assertAccessible(page);
        await signIn(context, owner.cookie, "trust");
        await page.goto(url("/my-record"));
        await page.getByRole("link", { name: "1 access request" }).waitFor();
        await page.goto(url("/my-record/requests"));
        await assertAccessible(page);
        await press(page, `Approve for ${STRANGER.name}`);
        await page.getByText(`Approved for ${STRANGER.name}.`).waitFor();
        await page.goto(url("/my-record#requests"));
        const reason = page.getByText(STRANGER.reason);
        assertEquals(await reason.isVisible(), false, "what needs no decision is one line");
        await page.getByRole("heading", { name: STRANGER.name }).click();
        assert(await reason.isVisible());
        await assertAccessible(page);
        await page.reload();
        await page.emulateMedia({ media: "print" });
        assert(await reason.isVisible(), "it is printed");
        await page.emulateMedia({ media: null });
      },
    );

    await fixture.sendHeld();
    const approval = (await fixture.mails()).find(({ to }) => to === STRANGER.email)!;
    await page.goto(approval.link!);
    await press(page, "Open the document");
    await page.waitForURL(url(documentPath(document)));
    await page.getByText("Certificate of Ada").first().waitFor();
  },
);

test(
  "a holder prints a link; a phone scans it, opens the document, and opens the page again",
  { context: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" } },
  async (page, context) => {
    await using fixture = await serveOnFreePort((env) => shareFixture(env));
    const { site: { services }, document, owner } = fixture;
    const url = (path: string) => services.surfaces.url("trust", path)!;
    const [name, value] = owner.cookie.split("=");
    await context.addCookies([{ name, value, url: url("/") }]);
    await page.goto(url("/my-record"));
    await page.getByRole("link", { name: "Share Certificate of Ada" }).press("Enter");
    await page.getByLabel("It opens the document").selectOption("Once");
    await page.getByLabel("Your note").fill("For Zenith Ltd");
    await press(page, "Create a link");
    await page.getByRole("button", { name: "Copy" }).waitFor();
    await assertAccessible(page);
    const link = (await page.locator("main .framed code").textContent())!;
    await page.emulateMedia({ media: "print" });
    assertEquals(await decode(page.locator(".key-qr")), link);
    const sheet = await page.locator("main").innerText();
    for (const text of [url("/s"), "Certificate of Ada", "once"]) assertStringIncludes(sheet, text);
    assertFalse(sheet.includes("Zenith"), "the note is not printed");
    await page.emulateMedia({ media: null });

    const phone = { viewport: { width: 320, height: 700 }, reducedMotion: "reduce" } as const;
    await browser.withPage({ context: phone }, async (page) => {
      await page.goto(link);
      const button = page.getByRole("button", { name: "Open the document" });
      await button.waitFor();
      await assertAccessible(page);
      assertEquals((await fixture.list())[0].openings, 0, "looking is not opening");
      await button.press("Enter");
      await page.waitForURL(url(documentPath(document)));
      await page.getByText("The certificate.").waitFor();
      await page.goto(link);
      await page.getByRole("link", { name: "Read the document" }).press("Enter");
      await page.getByText("The certificate.").waitFor();
    });
    await page.goto(url(fixture.path));
    await page.getByText("For Zenith Ltd").waitFor();
    await assertAccessible(page);
    assertEquals(await page.getByText("1 of 1 time").count(), 1);
  },
);
