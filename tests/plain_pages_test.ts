/**
 * The use of the site without scripts, as far as the server decides it. For each feature, one test in a browser
 * checks what styles and the browser decide.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "../lib/base/time.ts";
import { documentPath } from "../lib/features/documents/ids.ts";
import { type AccessFixture, accessFixture } from "./access_site.ts";
import { ADMIN, createBankSite } from "./bank_site.ts";
import { codesFixture, wrongCode } from "./codes_site.ts";
import { PERSON } from "./contact_site.ts";
import { PlainBrowser } from "./plain_browser.ts";
import { recordFixture } from "./record_site.ts";
import { shareFixture } from "./share_site.ts";
import { createSite, type Site } from "./site.ts";

const CONSOLE = "commercial-console";

/** Opens a browser for an administrator who is signed in. */
async function operatorBrowser(site: Site): Promise<PlainBrowser> {
  const { auth } = site.services;
  const { token } = await auth.issueLink({ email: ADMIN, surface: CONSOLE });
  const browser = new PlainBrowser(site);
  browser.cookies.set("app_session", (await auth.verify(token, CONSOLE))!.sessionId);
  return browser;
}

Deno.test("the console's figures are refreshed, filtered and opened, and a failed refresh says so", async () => {
  await using fixture = await createBankSite();
  const { site, time } = fixture;
  await site.services.treasuries.commercial.summary(); // a page doesn't wait for a slow bank
  const browser = await operatorBrowser(site);
  await browser.open(CONSOLE, "/console");
  assertMatch(browser.text, /\$[\d,]+\.\d\d/);
  await browser.follow("View Details");
  time.now += DAY_MS;
  await browser.press("Refresh");
  assertMatch(browser.path, /^\/console\/finance\?done=refreshed&/);
  assertMatch(browser.text, /Refreshed\. Last synced: just now/);
  await fixture.withFault({ response: 429 }, async () => {
    await browser.press("Refresh");
    assertMatch(browser.path, /^\/console\/finance\?done=refresh_failed&of=rate_limited&/);
  });
  assertMatch(browser.html, /role="alert"[^>]*>[^<]*limiting requests/);
  await browser.press("Refresh");
  await browser.follow("Operating");
  const transactions = () => browser.linksTo("transaction=");
  assertEquals(transactions().length, 25);
  const figure = browser.html.slice(browser.html.indexOf("Daily flow"));
  assertEquals(figure.slice(0, figure.indexOf("</table>")).match(/<tr/g)!.length, 31);
  await browser.press("Apply", { limit: "50", search: "cloud" });
  assertMatch(browser.path, /limit=50/);
  assertEquals(new Set(transactions()), new Set(["Cloud hosting"]));
  await browser.follow("Cloud hosting");
  assertStringIncludes(browser.text, "Debit card");
  await browser.follow(/All transactions$/);
  assertEquals(new Set(transactions()), new Set(["Cloud hosting"]));
});

Deno.test("a holder confirms a number by call, and signs in with an SMS", async () => {
  await using fixture = await codesFixture();
  const { provider, clock, site } = fixture;
  const { codes } = site.services;
  const hash = await fixture.register();
  const client = fixture.client();
  await fixture.signIn(client, hash);
  const browser = new PlainBrowser(site);
  browser.cookies.set("record_session", client.cookies.get("record_session")!);
  await browser.open("trust", "/my-record/number");
  await browser.press("Call me instead");
  await codes.flush();
  await browser.press("Confirm number", { code: wrongCode(provider.code()) });
  assertStringIncludes(browser.text, "That code is not right.");
  await browser.press("Confirm number", { code: provider.code() });
  assertEquals(browser.path, "/my-record");
  assertEquals((await fixture.kinds(hash)).at(-1), "sms_confirmed");

  browser.cookies.clear();
  clock.now += 61_000;
  await browser.open("trust", "/my-record/code");
  await browser.press("Text me a code", { mobile_number: "12" });
  assertEquals(browser.status, 400);
  assertStringIncludes(browser.text, "There is no such number in Australia.");
  await browser.press("Text me a code", { mobile_number: "0491 570 006" });
  await codes.flush();
  await browser.press("Sign in", { code: provider.code() });
  assertEquals(browser.path, "/my-record");
  await browser.press("Sign out");
});

Deno.test("an operator takes an enquiry, writes a note, replies and closes it", async () => {
  await using fixture = await recordFixture();
  const hash = await fixture.register({ ...PERSON, name: "Ada" });
  const browser = await operatorBrowser(fixture.site);
  await browser.open(CONSOLE, "/console/inbox");
  assertMatch(browser.linksTo(`/console/inbox/${hash}`)[0], /^Ada/);
  await browser.follow(browser.linksTo(`/console/inbox/${hash}`)[0]);
  for (
    const [button, values, result] of [
      ["Take it", {}, "The owner is changed"],
      ["Add note", { text: "Call back" }, "The note is added"],
      ["Send reply", { text: "Dear Ada", name: "Grace" }, "The reply is written"],
      ["Undo: The reply is written", {}, "The reply was taken back"],
      ["Send reply", {}, "The reply is written"],
      ["Close", {}, "The enquiry of Ada is closed"],
    ] as const
  ) {
    await browser.press(button, values);
    assertStringIncludes(browser.text, result);
  }
  const { row } = (await fixture.site.services.inbox.read("commercial", hash))!;
  assertEquals(row.state, "closed");
});

/** The colours before and after the button is pressed, and the theme of the page that follows. */
const CHOICES = [
  ["system", "dark", "dark"],
  ["dark", "light", "light"],
  ["light", "system", undefined],
] as const;

const SAM = { name: "Sam Poe", email: "sam@mail.example.com" };
const DECIDERS = {
  async holder({ site, owner }: AccessFixture) {
    const browser = new PlainBrowser(site);
    browser.cookies.set("record_session", owner.cookie.split("=")[1]);
    await browser.open("trust", "/my-record");
    return browser;
  },
  async administrator({ site }: AccessFixture) {
    const browser = await operatorBrowser(site);
    await browser.open(CONSOLE, "/console/alerts");
    return browser;
  },
};
for (const [who, openRequests] of Object.entries(DECIDERS)) {
  Deno.test(`the ${who} sees the result of a decision and undoes it, until it is too late`, async () => {
    await using fixture = await accessFixture();
    await fixture.open(SAM);
    const state = async () =>
      (await fixture.site.services.access.list(fixture.owner.hash))[0].state;
    const browser = await openRequests(fixture);
    await browser.press(`Refuse for ${SAM.name}`);
    assertStringIncludes(browser.text, `Refused for ${SAM.name}.`);
    assertEquals(await state(), "refused");
    await browser.press(/^Undo/);
    assertStringIncludes(browser.text, `the request from ${SAM.name} is waiting again`);
    assertEquals(await state(), "open");
    await browser.press(`Approve for ${SAM.name}`);
    await fixture.sendHeld();
    await browser.press(/^Undo/);
    assertEquals(browser.status, 409);
    assertMatch(browser.html, /role="alert"[^]*It is too late to undo/);
  });
}

Deno.test("somebody with a printed link types its code, and reads that the link was used up", async () => {
  await using fixture = await shareFixture();
  const browser = new PlainBrowser(fixture.site);
  const used = await fixture.share({ openings: "1" });
  await fixture.open(used);
  await browser.open("trust", "/s");
  assertStringIncludes(browser.html, "Copy the whole address"); // it cannot read its fragment
  const address = fixture.site.services.surfaces.url("trust", `/s#${used}`)!;
  await browser.press("Continue", { code: address });
  assertEquals(browser.status, 410);
  assertStringIncludes(browser.text, "This link was used up");
  const next = await fixture.share({ openings: "1" });
  await browser.press("Continue", { code: next.toLowerCase().replace(/(.{4})/g, "$1 ") });
  await browser.press("Open the document");
  assertEquals(browser.path, documentPath(fixture.document));
  assertStringIncludes(browser.text, "The certificate.");
});

Deno.test("a button on every page changes the theme, and returns to the page", async () => {
  await using site = await createSite();
  const browser = new PlainBrowser(site);
  for (const [path, status] of [["/?q=care&level=3", 200], ["/nowhere?a=1", 404]] as const) {
    await browser.open("site", path);
    for (const [now, next, theme] of CHOICES) {
      await browser.press(`Colours: ${now}, switch to ${next}`);
      assertEquals([browser.path, browser.status], [path, status]);
      assertEquals(/<html[^>]* data-theme="(\w+)"/.exec(browser.html)?.[1], theme);
    }
  }
});

Deno.test("the search, its filters and its pages lead to a qualification", async () => {
  await using site = await createSite();
  const { catalogue } = site.services;
  const browser = new PlainBrowser(site);
  await browser.open("site", "/");
  assertStringIncludes(browser.html, 'aria-busy="false"');
  await browser.press("Search", { q: "certificate", level: "3", status: "current" });
  const { total } = catalogue.search({ query: "certificate", aqf_level: 3, status: "current" });
  assertStringIncludes(browser.text, `${total} of ${catalogue.size} qualifications, 1 to 20`);
  assertEquals(browser.valueOf("status"), "current");
  await browser.follow("Next →");
  assertMatch(browser.path, /page=2/);
  assertStringIncludes(browser.text, `${total} of ${catalogue.size} qualifications, 21 to 40`);
  assertEquals(browser.valueOf("q"), "certificate");
  const results = browser.linksTo("/qualifications/");
  assertEquals(results.length, 20);
  await browser.follow(results[0]);
  assertMatch(browser.path, /^\/qualifications\//);
  assert(browser.linksTo("/auth").some((text) => text.startsWith("Sign up")));
});

Deno.test("a search of the standard leads to a section, and its contents to the others", async () => {
  await using site = await createSite();
  const browser = new PlainBrowser(site);
  await browser.open("foundation", "/standard");
  await browser.press("Search", { q: "truncated" });
  assertEquals(browser.path, "/standard?q=truncated");
  await browser.follow("Verification");
  assertMatch(browser.path, /^\/standard\/verification\b/);
  assert(browser.linksTo("#without-a-head")[0].endsWith("Without a head"));
  assertEquals(
    new Set(browser.linksTo("/standard/privacy")),
    new Set(["8Privacy", "Next →Privacy"]),
  );
  await browser.follow("Next →Privacy");
  assertEquals(browser.path, "/standard/privacy");
  assertMatch(browser.html, /<h1[^>]*>[^]{0,120}Privacy/);
});

Deno.test("the links to the contact form lead to its page, which posts to the API", async () => {
  await using site = await createSite();
  const browser = new PlainBrowser(site);
  await browser.open("foundation", "/");
  assert(browser.linksTo("/contact").includes("Contact us"));
  await browser.open("commercial", "/");
  await browser.follow("Contact us");
  assertEquals(browser.path, "/contact");
  const action = site.services.surfaces.url("api", "/api/ir/register?organisation=commercial");
  assertStringIncludes(browser.html, `action="${action}"`);
});

Deno.test("each MCP server's home page says for whom it is, and opens the tool of its first question", async () => {
  await using site = await createSite();
  for (
    const [surface, whom, tool] of [
      ["foundation-mcp", /works with the standard/, "search_standard"],
      ["commercial-mcp", /asks an AI assistant about Australian/, "get_qualification"],
    ] as const
  ) {
    const html = await (await site.request(surface, "/")).text();
    assertMatch(/<p class="lead[^]*?<\/p>/.exec(html)![0], whom);
    const open = html.split(/<details/).filter((part) =>
      /^[^>]* open/.test(part) && /fold/.test(part)
    );
    assertEquals(open.map((part) => /<code>(\w+)<\/code>/.exec(part)![1]), [tool]);
  }
});
