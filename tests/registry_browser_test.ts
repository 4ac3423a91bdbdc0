import { assert, assertEquals } from "@std/assert";
import { axeViolations, sidewaysScroll } from "./browser.ts";
import { ADMIN } from "./bank_site.ts";
import { servedSite } from "./served_site.ts";

const { site, browser } = await servedSite({ BANK_SANDBOX: "off", OPS_L1_EMAILS: ADMIN });
const surface = "foundation-console";
const address = (path: string) => site.services.surfaces.url(surface, path)!;

/** Returns a session cookie for the browser. */
async function sessionOf(email: string) {
  const { auth } = site.services;
  const { token } = await auth.issueLink({ email, surface });
  const { sessionId } = (await auth.verify(token, surface))!;
  return { name: "app_session", value: sessionId, url: address("/") };
}
const operator = await sessionOf(ADMIN);
const stranger = await sessionOf(`${"somebody-with-a-long-address".repeat(2)}@long.example.org`);

const PAGES = [
  { title: "the registry", path: "/console/surfaces", cookie: operator, expectedErrors: [] },
  { title: "the 403 page", path: "/console", cookie: stranger, expectedErrors: [/403/] },
];

for (const { title, path, cookie, expectedErrors } of PAGES) {
  for (const colorScheme of ["dark", "light"] as const) {
    for (const width of [1280, 375, 320]) {
      const context = { colorScheme, viewport: { width, height: 800 } };
      browser.test(
        `${title} fits ${width} px and is accessible, ${colorScheme}`,
        { context, expectedErrors },
        async (page, context) => {
          await context.addCookies([cookie]);
          await page.goto(address(path));
          assertEquals(await axeViolations(page), []);
          assertEquals(await sidewaysScroll(page), 0);
        },
      );
    }
  }
}

browser.test(
  "a surface's routes open by keyboard",
  {},
  async (page, context) => {
    await context.addCookies([operator]);
    await page.goto(address("/console/surfaces"));
    const card = page.getByRole("article", { name: "Workbench" });
    const row = card.getByRole("row", { name: "/dev/* LIVE" });
    assert(!await row.isVisible());
    await card.locator("summary").focus();
    await page.keyboard.press("Enter");
    await row.waitFor();
    const bank = page.getByRole("row", { name: /\/api\/bank\/summary .* NOT CONNECTED/ });
    assertEquals(await bank.first().isVisible(), true);
  },
);

browser.test("signing out on the 403 page leads to the sign-in page", {
  expectedErrors: [/403/],
}, async (page, context) => {
  await context.addCookies([await sessionOf("else@example.org")]);
  await page.goto(address("/console/surfaces"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(address("/auth?next=/console"));
});
