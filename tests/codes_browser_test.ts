import { assertEquals } from "@std/assert";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { codesFixture, wrongCode } from "./codes_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const REFUSED = [/status of 400 .*\/api\/auth\/otp\/(send|verify)/];

interface Reading {
  reading?: AbortSignal;
}

/** Runs in the page: a browser that can read codes from messages (WebOTP), but gets none. */
function readsNoMessages() {
  const get = navigator.credentials.get.bind(navigator.credentials);
  Object.assign(globalThis, { OTPCredential: class {} });
  navigator.credentials.get = (options) => {
    if (!("otp" in options!)) return get(options);
    Object.assign(globalThis, { reading: options.signal });
    return new Promise(() => {});
  };
}

test(
  "a holder asks for a code, enters a wrong one, pastes the right one with a dash, and is signed in",
  { context: { viewport: { width: 320, height: 640 } }, expectedErrors: REFUSED },
  async (page) => {
    await using fixture = await serveOnFreePort(codesFixture);
    const { provider, site: { services } } = fixture;
    await fixture.confirmed();
    const url = (path: string) => services.surfaces.url("trust", path)!;
    await page.addInitScript(readsNoMessages);
    await page.goto(url("/my-record/code"));
    await page.getByLabel("Mobile number").fill("0491 570 006");
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.getByRole("button", { name: "Text me a code" }).click();

    const code = page.getByRole("textbox", { name: "Code" });
    await becomes(() => code.evaluate((field) => field === document.activeElement), true);
    assertEquals(await page.locator("input[autocomplete=one-time-code]").count(), 1);
    assertEquals(await code.getAttribute("inputmode"), "numeric");
    await services.codes.flush();
    const aborted = () => page.evaluate(() => (globalThis as never as Reading).reading?.aborted);
    await becomes(aborted, false);
    await code.fill(wrongCode(provider.code()));
    await page.keyboard.press("Enter");
    const problem = "That code is not right. You can try 4 more times.";
    await page.getByText(problem).waitFor();
    await becomes(aborted, true);
    await becomes(
      () =>
        code.evaluate((field) => [
          field.getAttribute("aria-invalid"),
          field.getAttribute("aria-describedby")!.split(" ").map((id) =>
            document.getElementById(id)!.textContent
          ).at(-1),
          field === document.activeElement,
        ]),
      ["true", problem, true],
    );
    assertEquals([await axeViolationsInBothSchemes(page), await sidewaysScroll(page)], [[], 0]);

    await code.fill("");
    const digits = provider.code();
    await page.keyboard.insertText(` ${digits.slice(0, 3)}-${digits.slice(3)} `);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(url("/my-record"));
    await page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
  },
);

test(
  "a message that was not delivered shows the holder how to get a call instead",
  {},
  async (page, context) => {
    await using fixture = await serveOnFreePort(codesFixture);
    const { surfaces, phone } = fixture.site.services;
    const url = surfaces.url("trust", "/my-record/number")!;
    const client = fixture.client();
    await fixture.signIn(client, await fixture.register());
    const value = client.cookies.get("record_session")!;
    await context.addCookies([{ name: "record_session", value, url: new URL("/", url).href }]);
    await page.clock.install();
    await page.goto(url);
    await page.getByRole("button", { name: "Text me a code" }).click();
    await page.getByLabel("Code").waitFor();
    await phone.deliveries.report("m1", { state: "failed", failure: "unreachable" });
    await page.clock.fastForward(4_000);
    await page.getByRole("alert").getByText("The text message was not delivered.").waitFor();
  },
);
