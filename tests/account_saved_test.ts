import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { ADA, createSignInSite, locationOf } from "./sign_in_site.ts";

const OTHER = "other@example.org";

async function setUp() {
  const setup = await createSignInSite();
  const cookies: Record<string, string> = {
    [ADA]: await setup.signIn(ADA),
    [OTHER]: await setup.signIn(OTHER),
  };
  const open = (path: string, email = ADA, init: RequestInit = {}) =>
    setup.open(path, "site", { ...init, headers: { cookie: cookies[email], ...init.headers } });
  return {
    ...setup,
    open,
    async html(path: string, email = ADA) {
      const response = await open(path, email);
      assertEquals(response.status, 200, path);
      return await response.text();
    },
    /** Posts a form, as a page without scripts does. */
    post: (fields: Record<string, string>, email = ADA, headers: HeadersInit = {}) =>
      open("/account/saved", email, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { ...headers },
      }),
    [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose](),
  };
}

const text = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const SAVED = ["Saved qualifications", "Recently opened", "Saved searches", "Your data"];
const OFFERS = ["Explore qualifications →", "Scope analysis"];

Deno.test("the account page has the same links in its header as the other pages", async () => {
  await using site = await setUp();
  const links = async (path: string) =>
    [.../<nav class="nav-wide".*?<\/nav>/.exec(await site.html(path))![0]
      .matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, name]) => [href, name]);
  const found = await links("/account");
  assertEquals(found.map(([, name]) => name), ["Qualifications", "Account", "My record →"]);
  assertEquals(found, await links("/"));
});

Deno.test("the account page leads from the account's data to the record, which is not part of it", async () => {
  await using site = await setUp();
  const [, data] = (await site.html("/account")).split('id="data"');
  assertMatch(data, /see its level, correct it or delete it in <a href="[^"]*\/my-record">/);
});

Deno.test("the account page shows what is saved below the headline of spec 4.3, or else its cards", async () => {
  await using site = await setUp();
  const assertOrder = async (...parts: string[]) => {
    const page = text(await site.html("/account"));
    const order = ["Welcome,", "Your dashboard is being set up.", ...parts]
      .map((part) => page.indexOf(part));
    assert(order[0] >= 0);
    assertEquals(order, order.toSorted((a, b) => a - b));
  };
  await assertOrder("You can already save", ...OFFERS, ...SAVED);
  for (const [name, value] of [["save", "TAE40110"], ["save_search", "?q=care"]]) {
    await locationOf(site.post({ [name]: value }));
    await assertOrder(...SAVED, ...OFFERS);
    assert(!text(await site.html("/account")).includes("You can already save"));
    await locationOf(site.post({ [name.replace("save", "remove")]: value }));
  }
  const page = await site.html("/account");
  assert(/<a [^>]*href="\/"[^>]*>Explore qualifications →<\/a>/.test(page));
  assertStringIncludes(page, "Locked: not available yet");
});

Deno.test("posted forms save and remove, return to the page, and show only to their user", async () => {
  await using site = await setUp();
  const from = "/qualifications/TAE40110";
  assertEquals(await locationOf(site.post({ save: "TAE40110", from })), [303, from]);
  assertEquals(await locationOf(site.post({ save: "tae40110" })), [303, "/account"]);
  assertEquals(
    await locationOf(site.post({ save_search: "?q=care&level=3&page=2", from: "/?q=care" })),
    [303, "/?q=care"],
  );
  const account = await site.html("/account");
  assertStringIncludes(account, `href="/qualifications/TAE40110"`);
  assertStringIncludes(text(account), "Now TAE40122");
  assertStringIncludes(text(account), "1 of 1 is superseded.");
  assertStringIncludes(account, `href="/?q=care&amp;level=3"`);
  assertStringIncludes(await site.html(from), `name="remove" value="TAE40110"`);
  assertStringIncludes(await site.html("/?q=TAE4"), `name="remove" value="TAE40110"`);
  assertStringIncludes(await site.html("/?q=care&level=3"), "This search is in your account");
  assertFalse((await site.html("/account", OTHER)).includes("TAE40110"));
  assertStringIncludes(await site.html(from, OTHER), `name="save" value="TAE40110"`);

  await locationOf(site.post({ remove: "TAE40110" }));
  await locationOf(site.post({ remove_search: "?q=care&level=3" }));
  await locationOf(site.post({ clear_recents: "1" }));
  const cleared = await site.html("/account");
  for (const gone of ["TAE40110", "level=3"]) assertFalse(cleared.includes(gone), gone);
});

Deno.test("a saved search is saved without its page, and listed with its number of results", async () => {
  await using site = await setUp();
  await locationOf(site.post({ save_search: "?status=superseded&page=3&extra=1" }));
  const { total } = site.site.services.catalogue.search({ status: "superseded" });
  assertStringIncludes(text(await site.html("/account")), `Superseded ${total} results today`);
});

Deno.test("saving without a session, from another site, or with bad input is refused", async () => {
  await using site = await setUp();
  const anonymous = await site.site.request("site", "/account/saved", {
    method: "POST",
    body: new URLSearchParams({ save: "TAE40110" }),
  });
  await anonymous.body?.cancel();
  assertEquals(anonymous.status, 401);
  const statusOf = async (response: Promise<Response>) => (await locationOf(response))[0];
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  assertEquals(await statusOf(site.post({ save: "TAE40110" }, ADA, foreign)), 403);
  assertEquals(await statusOf(site.post({ save: "BSB00000" })), 404);
  assertEquals(await statusOf(site.post({ save: "x".repeat(21) })), 400);
  assertEquals(await statusOf(site.post({ save_search: "?page=2" })), 400);
  assertEquals(await statusOf(site.post({ save: "TAE40110", remove: "TAE40110" })), 400);
  assertEquals(await statusOf(site.post({})), 400);
  assertEquals(await locationOf(site.post({ remove: "TAE40110", from: "//evil.example" })), [
    303,
    "/account",
  ]);
  assertEquals((await site.site.services.saved.read(1)).qualifications, []);
});

Deno.test("opening a qualification lists it, but a prefetch, HEAD and an anonymous visit do not", async () => {
  await using site = await setUp();
  const path = "/qualifications/BSB50420";
  await (await site.open(path, ADA, { method: "HEAD" })).body?.cancel();
  await (await site.open(path, ADA, { headers: { "sec-purpose": "prefetch" } })).body?.cancel();
  await (await site.site.request("site", path)).body?.cancel();
  assertFalse((await site.html("/account")).includes("BSB50420"));
  await site.html(path);
  assertStringIncludes(await site.html("/account"), "BSB50420");
});

Deno.test("the export has everything of the user, as JSON and as CSV without formulas", async () => {
  await using site = await setUp();
  await locationOf(site.post({ save: "TAE40110" }));
  await locationOf(site.post({ save_search: "?q=%3D1%2B1" }));
  await site.html("/qualifications/BSB50420");
  const json = await site.open("/account/export");
  assertEquals(
    [json.headers.get("cache-control"), json.headers.get("content-disposition")],
    ["no-store", `attachment; filename="saved-qualifications.json"`],
  );
  const data = await json.json();
  assertEquals(data.account.email, ADA);
  const [saved] = data.qualifications;
  assertEquals([saved.code, saved.superseded_by], ["TAE40110", "TAE40116"]);
  assertEquals(data.searches[0].query, "?q=%3D1%2B1");
  assertEquals(data.recently_opened.map(({ code }: { code: string }) => code), ["BSB50420"]);
  const csv = await (await site.open("/account/export?format=csv")).text();
  assertEquals(csv.trim().split("\r\n").length, 5);
  assertStringIncludes(csv, '"saved qualification","TAE40110",');
  assertFalse(/(^|[,"])=/m.test(csv));
  const anonymous = await locationOf(site.site.request("site", "/account/export"));
  assertEquals(anonymous, [302, "/auth"]);
});

Deno.test("deleting the user deletes what they saved", async () => {
  await using site = await setUp();
  const { auth, kv } = site.site.services;
  for (const email of [ADA, OTHER]) await locationOf(site.post({ save: "TAE40110" }, email));
  await auth.deleteUser(ADA);
  const rows = await Array.fromAsync(kv.list({ prefix: ["user_data"] }));
  assertEquals(rows.map(({ key }) => key), [["user_data", 2]]);
});

Deno.test("two codes are compared, and two selected results lead to the comparison", async () => {
  await using site = await setUp();
  const page = text(await site.html("/compare?a=TAE40110&b=tae40122"));
  assertStringIncludes(page, "TAE40122 replaced TAE40110, with TAE40116 in between.");
  assertStringIncludes(page, "TAE40110 → TAE40116 → TAE40122");
  assertStringIncludes(page, "Not published here.");
  assertEquals(await locationOf(site.open("/compare?code=A1&code=B2&code=C3")), [
    302,
    "/compare?a=A1&b=B2",
  ]);
  assertStringIncludes(await site.html("/compare?a=%3Cb%3E"), `value="&lt;b>"`);
  assertStringIncludes(text(await site.html("/compare?a=XYZ")), "no qualification with this code");
});

Deno.test("the results are rendered once for all visitors who are not signed in", async () => {
  await using setup = await createSignInSite();
  const { services, request } = setup.site;
  const get = async (path: string) => (await request("site", path)).text();
  const first = await get("/?q=care");
  const { size } = services.html;
  assert(size > 0);
  const nonce = /nonce="[^"]*"/g;
  assertEquals((await get("/?q=care")).replaceAll(nonce, ""), first.replaceAll(nonce, ""));
  await get("/?q=+care&level=nonsense");
  assertEquals(services.html.size, size);
  const headers = { cookie: await setup.signIn() };
  const own = await (await request("site", "/?q=care", { headers })).text();
  assertStringIncludes(own, `name="save"`);
  assertEquals(services.html.size, size);
  assertFalse((await get("/?q=care")).includes(`name="save"`));
});
