import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { isKey, KEY_PATTERN } from "../lib/features/issuers/mod.ts";
import { BY, keyFixture } from "./key_site.ts";
import { NOWHERE } from "./webhook_scenarios.ts";

const CONSOLE = "commercial-console";
const BOARD = "board@example.org";

/** A site with an issuer, and the forms of its page. */
async function consoleFixture() {
  const fixture = await keyFixture({}, { network: NOWHERE });
  const { site, issuer } = fixture;
  const { auth, issuerKeys, surfaces } = site.services;
  const path = `/console/issuers/${issuer.id}/keys`;
  async function send(
    body: Record<string, string> | null,
    { as = BY, on = CONSOLE, at = path }: {
      as?: string;
      on?: typeof CONSOLE | "foundation-console";
      at?: string;
    } = {},
  ): Promise<{ status: number; html: string; headers: Headers }> {
    const { token } = await auth.issueLink({ email: as, surface: on });
    const { sessionId } = (await auth.verify(token, on))!;
    const response = await site.request(on, at, {
      method: body === null ? "GET" : "POST",
      headers: {
        cookie: `app_session=${sessionId}`,
        accept: "text/html",
        origin: new URL(surfaces.url(on)!).origin,
      },
      body: body && new URLSearchParams(body),
    });
    const { status, headers } = response;
    return { status, headers, html: await response.text() };
  }
  return {
    ...fixture,
    send,
    keys: () => issuerKeys.list(issuer.id),
    /** Returns the form of a new key as the page has it. */
    async form(changes: Record<string, string> = {}): Promise<Record<string, string>> {
      const { html } = await send(null);
      const [, id] = /value="create_key".*?name="id" value="(\w+)"/s
        .exec(html)!;
      return {
        act: "create_key",
        id,
        name: "Student records",
        mode: "test",
        expires: "365",
        "documents:read": "on",
        ...changes,
      };
    },
  };
}

Deno.test("the form of a new key shows it once, in a response that nobody stores", async () => {
  await using fixture = await consoleFixture();
  const form = await fixture.form();
  const created = await fixture.send(form);
  assertEquals([created.status, created.headers.get("cache-control")], [200, "no-store"]);
  const key = KEY_PATTERN.exec(created.html)![0];
  assert(isKey(key) && key.startsWith("gh_test_"));
  assertStringIncludes(created.html, "The new key “Student records”");
  for (const guide of ["issuing", "issuing-webhooks"]) {
    assertMatch(created.html, new RegExp(`href="[^"]*/docs/${guide}"`));
  }
  assertEquals((await (await fixture.call(key)).json()).key, {
    last4: key.slice(-4),
    scopes: ["documents:read"],
    expires_at: "2027-03-01T10:00:00.000Z",
  });
  const { html } = await fixture.send(null);
  assertFalse(KEY_PATTERN.test(html));
  assertStringIncludes(html.replaceAll("<!-- -->", ""), `gh_test_…${key.slice(-4)}`);
  // A browser that sends the form again, such as on a reload, gets no second key.
  const again = await fixture.send(form);
  assertEquals(again.status, 409);
  assertFalse(KEY_PATTERN.test(again.html));
  assertStringIncludes(again.html, "This form was already sent");
  assertEquals((await fixture.keys()).length, 1);
});

Deno.test("a form without a name or a scope says so beside the fields, and keeps what was entered", async () => {
  await using fixture = await consoleFixture();
  const { "documents:read": _, ...without } = await fixture.form({ mode: "live", expires: "30" });
  const noScope = await fixture.send(without);
  assertEquals(noScope.status, 400);
  assertStringIncludes(noScope.html, "Choose at least one scope.");
  assertMatch(noScope.html, /<input id="field-key-new-name"[^>]*value="Student records"/);
  assertMatch(noScope.html, /<input type="radio"[^>]*value="live"[^>]*checked/);
  assertMatch(noScope.html, /<option +value="30" selected/);
  const noName = await fixture.send(await fixture.form({ name: " " }));
  assertEquals(noName.status, 400);
  assertStringIncludes(noName.html, "Enter a name");
  for (const [field, value] of [["mode", "both"], ["expires", "9999"], ["id", "x"]]) {
    assertEquals((await fixture.send(await fixture.form({ [field]: value }))).status, 400, field);
  }
  assertEquals(await fixture.keys(), []);
});

Deno.test("the forms of a key replace it, and revoke it once that is confirmed", async () => {
  await using fixture = await consoleFixture();
  const { key, row } = await fixture.create();
  const replace = { act: "replace_key", key: row.id, overlap: "24" };
  const replaced = await fixture.send(replace);
  assertEquals(replaced.status, 200);
  const next = KEY_PATTERN.exec(replaced.html)![0];
  assertStringIncludes(replaced.html, "Being replaced");
  for (const each of [key, next]) assertEquals((await fixture.outcome(each))[0], 200);
  assertEquals((await fixture.send(replace)).status, 409);

  const revoke = { act: "revoke_key", key: row.id };
  const refused = await fixture.send(revoke);
  assertEquals(refused.status, 400);
  assertStringIncludes(refused.html, "Confirm that you want to revoke the key.");
  assertEquals((await fixture.outcome(key))[0], 200);
  const revoked = await fixture.send({ ...revoke, confirm: "yes" });
  assertEquals(revoked.status, 303);
  const { html } = await fixture.send(null, { at: revoked.headers.get("location")! });
  assertStringIncludes(html, "The key is revoked");
  assertStringIncludes(html, "1 key that ended in the last 90 days");
  assertEquals((await fixture.outcome(key))[0], 401);
  assertEquals((await fixture.outcome(next))[0], 200);
});

Deno.test("revoking a key in the console lists its webhooks, and asks whether to remove them too", async () => {
  await using fixture = await consoleFixture();
  const { issuer, site: { services: { webhooks } } } = fixture;
  const input = { description: null, events: null };
  const { row } = await fixture.create();
  const owner = { issuer: issuer.id, mode: row.mode, key: row.id };
  for (const kept of ["keep", "remove"]) {
    const { row } = await fixture.create();
    const url = `https://records.harbour.example/${kept}`;
    const added = await webhooks.create({ ...owner, key: row.id }, { ...input, url });
    assert(added.ok, added.ok ? "" : JSON.stringify(added));
    assertStringIncludes((await fixture.send(null)).html, `<code>records.harbour.example/${kept}`);
    const revoke = { act: "revoke_key", key: row.id, confirm: "yes" };
    const asked = await fixture.send(revoke);
    assertEquals(asked.status, 400);
    assertStringIncludes(asked.html, "Choose whether to remove its webhooks.");
    assertEquals((await fixture.send({ ...revoke, webhooks: kept })).status, 303);
  }
  const left = await webhooks.list(owner);
  assertEquals(left.map(({ url }) => new URL(url).pathname), ["/keep"]);
  const audit = await fixture.send(null, { at: "/console/audit" });
  assertStringIncludes(audit.html, "Removed a webhook");
});

Deno.test("board members and the other console can neither see nor change keys", async () => {
  await using fixture = await consoleFixture();
  const { row } = await fixture.create();
  const form = await fixture.form();
  const revoke = { act: "revoke_key", key: row.id, confirm: "yes" };
  for (const body of [null, form, revoke]) {
    const { status, html } = await fixture.send(body, { as: BOARD });
    assertEquals(status, 403);
    assertFalse(html.includes(row.last4));
    assertEquals((await fixture.send(body, { on: "foundation-console" })).status, 404);
  }
  // The foundation itself is an issuer, but without keys.
  const at = "/console/issuers/foundation/keys";
  const { status, html } = await fixture.send(null, { on: "foundation-console", at });
  assertEquals([status, html.includes("API keys")], [404, false]);
  assertEquals((await fixture.send(form, { on: "foundation-console", at })).status, 404);
  assertEquals((await fixture.keys()).length, 1);
});

Deno.test("an ended issuer gets no form for a new key", async () => {
  await using fixture = await consoleFixture();
  const form = await fixture.form();
  await fixture.setState("ended");
  const { html } = await fixture.send(null);
  assertStringIncludes(html, "you cannot create new ones");
  assertFalse(html.includes("create_key"));
  assertEquals((await fixture.send(form)).status, 409);
});
