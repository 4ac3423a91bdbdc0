import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolationsInBothSchemes, sidewaysScroll, tabTo, testBrowser } from "./browser.ts";
import { NARROW } from "./contact_page.ts";
import { PERSON } from "./contact_site.ts";
import { authorizePath, registerClient } from "./oauth_site.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

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

const TRUST = () => fixture.site.services.surfaces.url("trust", "")!;

/** Opens the MCP host's `/authorize`, as an app does. */
async function authorize(page: Page, redirect_uri: string): Promise<void> {
  const client = await registerClient(fixture.site, {
    client_name: "Desktop app",
    redirect_uris: [redirect_uri],
  });
  const path = authorizePath(client, { redirect_uri, scope: "mcp record offline_access" });
  await page.goto(fixture.site.services.surfaces.url("foundation-mcp", path)!);
}

async function accessible(page: Page): Promise<void> {
  assertEquals(await axeViolationsInBothSchemes(page), []);
  assertEquals(await sidewaysScroll(page), 0);
}

/** An app's listener on loopback. `answer` resolves with the parameters of the first request. */
function listener(hostname: "127.0.0.1" | "[::1]") {
  const { promise: answer, resolve } = Promise.withResolvers<Record<string, string>>();
  const server = Deno.serve({
    hostname: hostname.replace(/[[\]]/g, ""),
    port: 0,
    onListen: () => {},
  }, (req) => {
    const { pathname, searchParams } = new URL(req.url);
    if (pathname === "/callback") resolve(Object.fromEntries(searchParams));
    return new Response("Connected.");
  });
  return { server, answer, uri: `http://${hostname}:${server.addr.port}/callback` };
}

test(
  "by keyboard, an approval arrives at a loopback listener and at a private-use scheme",
  {
    context: { viewport: NARROW },
  },
  async (page, context) => {
    const { cookie } = await fixture.holder();
    const [name, value] = cookie.split("=");
    await context.addCookies([{ name, value, url: TRUST() }]);
    for (const hostname of ["127.0.0.1", "[::1]"] as const) {
      const { server, answer, uri } = listener(hostname);
      await authorize(page, uri);
      if (hostname === "127.0.0.1") await accessible(page);
      const approve = page.getByRole("button", { name: "Approve" });
      await tabTo(page, approve);
      await page.keyboard.press("Enter");
      await page.getByText("Connected.").waitFor();
      const { code, state, iss } = await answer;
      assert(code.length > 20);
      assertEquals([state, iss], [
        "s t&ate",
        fixture.site.services.surfaces.url("foundation-mcp", "")!,
      ]);
      await server.shutdown();
    }

    await authorize(page, "cursor://anysphere.cursor-mcp/oauth/callback");
    // A browser opens the app, which is not installed here. The policy must not stop it before.
    const back = page.waitForEvent(
      "requestfailed",
      (request) => request.url().startsWith("cursor:"),
    );
    await page.getByRole("button", { name: "Approve" }).press("Enter");
    assert(new URL((await back).url()).searchParams.get("code"));
  },
);

test("a link that is opened in another browser shows a code that signs in the first one", {
  context: { viewport: NARROW },
}, async (page) => {
  await fixture.holder({ ...PERSON, email: "phone@example.org" });
  await authorize(page, "https://app.example/callback");
  await accessible(page);
  await page.getByLabel("Email address").fill("phone@example.org");
  await page.getByRole("button", { name: "Send me a link" }).click();
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  const { link } = (await fixture.mails()).find(({ to }) => to === "phone@example.org")!;
  const code = await browser.withPage(
    { context: { viewport: NARROW, reducedMotion: "reduce" } },
    async (other) => {
      await other.goto(link!);
      await other.getByRole("button", { name: "Show the code" }).click();
      await other.getByRole("heading", { name: "Your code" }).waitFor();
      await accessible(other);
      return await other.locator(".link-code").innerText();
    },
  );
  await page.getByLabel("Code").fill(code);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Deny" }).waitFor();
});
