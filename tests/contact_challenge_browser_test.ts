import { assert, assertEquals } from "@std/assert";
import { dialogOf, fillIn, playThrough } from "./contact_page.ts";
import { servedSite } from "./served_site.ts";
import { serve } from "./site.ts";
import { withoutMotion } from "./still_pages.ts";

/** A bot challenge provider, with its script and its verification endpoint. */
const asked: FormData[] = [];
const provider = serve(async (req) => {
  if (new URL(req.url).pathname === "/api.js") {
    return new Response(SCRIPT, { headers: { "content-type": "text/javascript" } });
  }
  asked.push(await req.formData());
  return Response.json({
    success: true,
    challenge_ts: new Date().toISOString(),
    hostname: "commercial.localhost",
    action: "contact",
  });
});
const PROVIDER = `http://127.0.0.1:${provider.port}`;
Deno.test.afterAll(() => provider[Symbol.asyncDispose]());

const SCRIPT = `globalThis.turnstile = {
  render(element, { callback, sitekey }) {
    const button = document.createElement("button");
    button.textContent = "I am a person";
    button.onclick = () => callback("response for " + sitekey);
    element.append(button);
    return "1";
  },
  reset() {},
  remove() {},
};`;

const { site, browser } = await servedSite({
  CONTACT_CLIENT_LIMIT: "0",
  CHALLENGE_SITE_KEY: "site-key",
  CHALLENGE_SECRET: "secret",
  CHALLENGE_VERIFY_URL: `${PROVIDER}/verify`,
  CHALLENGE_SCRIPT_URL: `${PROVIDER}/api.js`,
});
const test = withoutMotion(browser);

test(
  "our own page loads the challenge with the form, and sends its response",
  {},
  async (page) => {
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.url().startsWith(PROVIDER)) scripts.push(request.url());
    });
    await page.clock.install();
    await page.goto(site.services.surfaces.url("commercial", "/")!, { waitUntil: "networkidle" });
    assertEquals(scripts, [], "it is not loaded before the form is opened");
    await page.locator("#participate").getByRole("link", { name: "Contact us" }).click();
    await dialogOf(page).waitFor();
    const person = page.getByRole("button", { name: "I am a person" });
    await page.waitForFunction(() => "turnstile" in globalThis);
    await page.clock.runFor(1_000);
    await person.click();
    await fillIn(page);
    await playThrough(page);
    assertEquals(asked.map((form) => form.get("response")), ["response for site-key"]);
    assert((await dialogOf(page).innerText()).includes("MESSAGE ENDS"));
    assertEquals(scripts, [`${PROVIDER}/api.js`]);
  },
);
