import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import type { AuditEntry } from "../lib/features/audit/mod.ts";
import { changeRecord, readRecord } from "../lib/features/records/mod.ts";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import { type AccessFixture, accessFixture, STRANGER } from "./access_site.ts";
import { ADMIN, BOARD, createBankSite } from "./bank_site.ts";
import { statusOf } from "./contact_site.ts";
import { createSignInSite } from "./sign_in_site.ts";
import type { Site } from "./site.ts";

/** Returns the stored entries of an organisation, oldest first. */
const entriesOf = ({ services: { kv } }: Site, organisation: OrganisationKey = "commercial") =>
  Array.fromAsync(
    kv.list<AuditEntry>({ prefix: ["audit", organisation] }),
    ({ value }) => value,
  );

/** Returns what was done since the fixture added its document. */
const actionsOf = async (site: Site) =>
  (await entriesOf(site)).map(({ action }) => action).slice(1);

/** Brings the record to level 3. */
async function raise({ site: { services: { kv } }, owner, clock }: AccessFixture) {
  for (const change of ["declared", "passkey_added"] as const) {
    const record = (await readRecord(kv, owner.hash))!;
    const commit = kv.atomic();
    if (change === "declared") {
      const declarations = [{ at: new Date(clock.now).toISOString(), text: "To keep." }];
      commit.set(record.contact.key, { ...record.contact.value, declarations });
    } else changeRecord(commit, record, { change }, clock.now);
    await commit.commit();
  }
}

/** Sends a request to the commercial console as an administrator with a session. */
async function consoleOf({ site, signIn }: Awaited<ReturnType<typeof createSignInSite>>) {
  const cookie = await signIn(ADMIN, "commercial-console");
  const { origin } = new URL(site.services.surfaces.url("commercial-console")!);
  return (path: string, form?: Record<string, string>, cookies = cookie) =>
    site.request("commercial-console", path, {
      method: form === undefined ? "GET" : "POST",
      body: form && new URLSearchParams(form),
      headers: { cookie: cookies, accept: "text/html", ...form && { origin } },
    });
}

Deno.test("each action adds one entry with what it was about, and nothing that somebody wrote", async () => {
  await using fixture = await accessFixture();
  const { site, owner: { hash }, document } = fixture;
  await raise(fixture);
  const record = `/console/records/${hash}`;
  const post = async (path: string, form: Record<string, string>) =>
    assertEquals(await statusOf(fixture.console(path, { form })), 303, JSON.stringify(form));
  const upload = async (path: string, fields: Record<string, string>, content: string) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set("file", new File([content], "private-name.txt"));
    const cookie = (await site.services.auth.issueLink({
      email: ADMIN,
      surface: "commercial-console",
    })).token;
    const { sessionId } = (await site.services.auth.verify(cookie, "commercial-console"))!;
    fixture.clock.now += 1;
    const { origin } = new URL(site.services.surfaces.url("commercial-console")!);
    const headers = { cookie: `app_session=${sessionId}`, accept: "text/html", origin };
    const init = { method: "POST", body, headers };
    assertEquals(await statusOf(site.request("commercial-console", path, init)), 303);
  };
  const details = {
    title: "Private title",
    type: "Diploma",
    publish_hash: "default",
    expires_on: "",
  };
  const note = "Private note";

  await post(record, { act: "check", note });
  await post(record, { act: "revoke", note });
  await post(record, { act: "recover", note, email: "private@mail.example.com" });
  await post(record, { act: "cancel_recovery" });
  await upload(`${record}/documents`, details, "second");
  await upload(`${record}/documents/${document}`, { act: "replace" }, "new version");
  await post(`${record}/documents/${document}`, { act: "edit", ...details });
  const request = await fixture.open();
  await post("/console/alerts", { act: "approve", id: request, reason: note });
  await post("/console/alerts", { act: "revoke", id: request });
  const other = await fixture.open({ email: "other@mail.example.com" });
  await post("/console/alerts", { act: "refuse", id: other, reason: note });
  await post(`${record}/documents/${document}`, { act: "withdraw", reason: note });

  const [fixtures, ...entries] = (await entriesOf(site)).filter(({ action }) =>
    action !== "sign_in"
  );
  assertEquals(fixtures.object.document, document);
  const added = entries.find(({ action }) => action === "document_added")!.object.document;
  assertEquals(
    entries.map(({ action, object, detail }) => [action, object, detail]),
    [
      ["identity_checked", { record: hash }, "level 4"],
      ["identity_revoked", { record: hash }, "level 3"],
      ["recovery_started", { record: hash }, null],
      ["recovery_cancelled", { record: hash }, null],
      ["document_added", { record: hash, document: added }, "version 1"],
      ["document_replaced", { record: hash, document }, "version 2"],
      ["document_edited", { record: hash, document }, null],
      ["access_approved", { record: hash, document, request }, null],
      ["access_revoked", { record: hash, document, request }, null],
      ["access_refused", { record: hash, document, request: other }, null],
      ["document_withdrawn", { record: hash, document }, "version 2"],
    ],
  );
  assert(added !== undefined && added !== document);
  for (const { by } of entries) assertEquals(by, ADMIN);
  const text = JSON.stringify(entries).toLowerCase();
  for (const word of ["private", STRANGER.name, STRANGER.email, "ada example"]) {
    assertFalse(text.includes(word.toLowerCase()), word);
  }
  assertEquals(await entriesOf(site, "foundation"), []);
});

Deno.test("decisions of the holder and failed actions add no entry", async () => {
  await using fixture = await accessFixture();
  const { site, owner: { hash }, document } = fixture;
  await fixture.approve();
  const path = `/console/records/${hash}`;
  assertEquals(
    await statusOf(fixture.console(path, { form: { act: "check", note: "Passport" } })),
    409,
  );
  assertEquals(await statusOf(fixture.console(path, { form: { act: "cancel_recovery" } })), 303);
  const form = { act: "withdraw", reason: "" };
  assertEquals(await statusOf(fixture.console(`${path}/documents/${document}`, { form })), 400);
  assertEquals(await actionsOf(site), ["sign_in"]);
});

Deno.test("20 requests for the same action at once add one entry", async () => {
  await using fixture = await accessFixture();
  const { site, owner: { hash }, document } = fixture;
  const { auth } = site.services;
  await raise(fixture);
  const id = await fixture.open();
  await fixture.console("/console"); // signs in
  const path = `/console/records/${hash}`;
  const { token } = await auth.issueLink({ email: BOARD, surface: "commercial-console" });
  const race = (step: () => Promise<unknown>) => Promise.all(Array.from({ length: 20 }, step));
  const post = (path: string, form: Record<string, string>) => () =>
    statusOf(fixture.console(path, { form }));

  await race(() => auth.verify(token, "commercial-console"));
  await race(post(path, { act: "check", note: "Passport" }));
  await race(post(path, { act: "recover", note: "Call", email: "new@mail.example.com" }));
  await race(post(path, { act: "cancel_recovery" }));
  await race(post("/console/alerts", { act: "approve", id }));
  await race(post(`${path}/documents/${document}`, { act: "withdraw", reason: "Mistake" }));
  assertEquals(await actionsOf(site), [
    "sign_in",
    "sign_in",
    "identity_checked",
    "recovery_started",
    "recovery_cancelled",
    "access_approved",
    "document_withdrawn",
  ]);
});

Deno.test("a sign-in is logged on the console where it happened, with the layer, and not elsewhere", async () => {
  await using fixture = await createSignInSite();
  const { site, signIn } = fixture;
  await signIn(ADMIN, "foundation-console");
  await signIn(BOARD, "commercial-console");
  await signIn(ADMIN, "site");
  const seen = async (organisation: OrganisationKey) =>
    (await entriesOf(site, organisation)).map(({ by, action, detail }) => [by, action, detail]);
  assertEquals(await seen("foundation"), [[ADMIN, "sign_in", "L1"]]);
  assertEquals(await seen("commercial"), [[BOARD, "sign_in", "L2"]]);
});

Deno.test("every refresh of the bank is logged with its outcome", async () => {
  await using fixture = await createBankSite();
  const refresh = () =>
    statusOf(fixture.request("commercial-console", "/api/bank/refresh", ADMIN, { method: "POST" }));
  assertEquals(await refresh(), 200);
  fixture.time.now += 60_000;
  await fixture.withFault({ response: 401 }, async () => assertEquals(await refresh(), 502));
  const entries = (await entriesOf(fixture.site)).filter(({ action }) => action !== "sign_in");
  assertEquals(entries.map(({ by, action, detail }) => [by, action, detail]), [
    [ADMIN, "bank_refreshed", null],
    [ADMIN, "bank_refreshed", "failed: auth_failed"],
  ]);
});

Deno.test("the log shows, filters and exports the entries of its own organisation only", async () => {
  await using fixture = await accessFixture();
  const { site, owner: { hash }, document } = fixture;
  const read = async (on: "commercial-console" | "foundation-console", query = "") =>
    await (await fixture.console(`/console/audit${query}`, { on })).text();
  const path = `/console/records/${hash}/documents/${document}`;
  await statusOf(fixture.console(path, { form: { act: "withdraw", reason: "Mistake" } }));

  const own = await read("commercial-console");
  assertMatch(own, new RegExp(`href="${path}">[^<]+, [0-9A-Z]{4}-[0-9A-Z]{4}-[^<]+<`));
  assertStringIncludes(own, "Withdrew a document");
  const key = await site.services.audit.personKey(ADMIN);
  assertStringIncludes(own, `href="/console/audit?person=${key}" aria-current="false"`);
  assertFalse(/href="[^"]*@(?!sha)[^"]*audit/.test(own));
  const csv = "?action=document_withdrawn&format=csv";
  const lines = (await read("commercial-console", csv)).trim().split("\r\n");
  assertEquals(lines.map((line) => line.slice(line.indexOf(",") + 1)), [
    '"by","action","record","document","request","issuer","account","user","operator","detail"',
    `"${ADMIN}","document_withdrawn","${hash}","${document}","","","","","","version 1"`,
  ]);

  for (const query of ["", `?person=${key}`, "?action=document_withdrawn", csv]) {
    const text = await read("foundation-console", query);
    for (const word of [hash, document, "version 1"]) assertFalse(text.includes(word), query);
  }
  const none = await read("commercial-console", "?action=user_deleted");
  assertStringIncludes(none, "Clear the filters to see all entries.");
});

Deno.test("invalid filters return 400, and the page keeps them as typed", async () => {
  await using fixture = await createSignInSite();
  const open = await consoleOf(fixture);
  const cases = {
    "?action=nothing": "Choose an action from the list.",
    "?person=ada%40example.org": "Choose a person from the list.",
    "?from=2026-02-30": "Enter a date, such as 2026-03-01.",
    "?from=2026-02-03&to=2026-02-02": "The end is before the start.",
    "?after=1&format=csv": "There is no such page.",
    "?after=9999-99-99T99:99:99.999Z~1": "There is no such page.",
  };
  for (const [query, issue] of Object.entries(cases)) {
    const response = await open(`/console/audit${query}`);
    assertEquals(response.status, 400, query);
    assertStringIncludes(await response.text(), issue);
  }
  assertStringIncludes(await (await open("/console/audit?from=2026-02-30")).text(), "2026-02-30");
});

Deno.test("board members get 403 for the log and the users, and the foundation's console has no users", async () => {
  await using fixture = await createSignInSite();
  const { site } = fixture;
  const open = await consoleOf(fixture);
  const board = await fixture.signIn(BOARD, "commercial-console");
  const paths = [
    "/console/audit",
    "/console/audit?format=csv",
    "/console/users",
    "/console/users/1",
  ];
  for (const path of paths) assertEquals(await statusOf(open(path, undefined, board)), 403, path);
  for (const path of ["/console/users", "/console/users/1"]) {
    assertEquals(await statusOf(open(path, { email: ADMIN, confirm: "yes" }, board)), 403, path);
  }
  assertEquals((await site.services.auth.stats()).users, 2);
  const dashboard = await (await open("/console", undefined, board)).text();
  for (const path of paths) assertFalse(dashboard.includes(`"${path}"`), path);

  const cookie = await fixture.signIn(ADMIN, "foundation-console");
  const foundation = (path: string) =>
    site.request("foundation-console", path, { headers: { cookie, accept: "text/html" } });
  for (const path of ["/console/users", "/console/users/1"]) {
    assertEquals(await statusOf(foundation(path)), 404);
  }
  const page = await (await foundation("/console")).text();
  assertFalse(page.includes("/console/users"));
  assertStringIncludes(page, "/console/audit");
});

Deno.test("users are listed in pages with the newest first, and found by their exact address", async () => {
  await using fixture = await createSignInSite();
  const { site } = fixture;
  const { auth } = site.services;
  const open = await consoleOf(fixture);
  for (let i = 0; i < 60; i++) {
    await auth.issueLink({ email: `user${i}@example.org`, surface: "site" });
  }
  const listed = async (path: string) => {
    const html = await (await open(path)).text();
    const ids = [...html.matchAll(/href="\/console\/users\/(\d+)"/g)].map(([, id]) => Number(id));
    return { html, ids };
  };
  const first = await listed("/console/users");
  assertStringIncludes(first.html, "61 accounts");
  assertEquals(first.ids, Array.from({ length: 50 }, (_, i) => 61 - i));
  const [, next] = /href="(\/console\/users\?after=[\w.%-]+%7E12)"/.exec(first.html)!;
  const second = await listed(next);
  assertEquals(second.ids, Array.from({ length: 11 }, (_, i) => 11 - i));
  assertFalse(second.html.includes("?after="));

  const found = await open("/console/users", { email: " User7@Example.ORG " });
  await found.body?.cancel();
  const location = found.headers.get("location")!;
  assertMatch(location, /^\/console\/users\/\d+$/); // the address is in no URL
  const page = await (await open(location)).text();
  assertStringIncludes(page, "user7@example.org");
  assertStringIncludes(page, "never");
  for (const [email, status] of [["user@example.org", 404], ["user7", 400]] as const) {
    const missing = await open("/console/users", { email });
    assertEquals(missing.status, status);
    assertStringIncludes(await missing.text(), `value="${email}"`);
  }
});

Deno.test("an administrator deletes a user once, after confirming, but not their own account", async () => {
  await using fixture = await createSignInSite();
  const { site, signIn } = fixture;
  const { auth } = site.services;
  const open = await consoleOf(fixture);
  const session = await signIn("gone@example.org");
  const user = (await auth.findUser("gone@example.org"))!;
  const path = `/console/users/${user.id}`;
  assertEquals(await statusOf(open(path, {})), 400);
  assertEquals((await auth.findUser("gone@example.org"))?.id, user.id);

  const isClaimed = async (claim: string) =>
    (await (await open(claim)).text()).includes(`User ${user.id} is deleted`);
  const claim = `/console/users?done=delete_user&of=${user.id}`;
  assertFalse(await isClaimed(claim));

  const race = Array.from({ length: 20 }, () => open(path, { confirm: "yes" }));
  const responses = await Promise.all(race);
  const done = responses.filter(({ status }) => status !== 404);
  assert(done.length > 0);
  for (const { status, headers } of done) {
    assertEquals([status, headers.get("location")?.slice(0, claim.length)], [303, claim]);
  }
  await Promise.all(responses.map(({ body }) => body?.cancel()));
  assertEquals(await auth.findUser("gone@example.org"), null);
  assertFalse(await isClaimed(claim), "the account is deleted, but the URL is not signed");
  assert(await isClaimed(done[0].headers.get("location")!));
  assertEquals((await auth.stats()).users, 1);
  const account = await fixture.open("/account", "site", { headers: { cookie: session } });
  assertEquals(await statusOf(account), 302);

  const own = (await auth.findUser(ADMIN))!;
  assertEquals(await statusOf(open(`/console/users/${own.id}`, { confirm: "yes" })), 409);
  const entries = (await entriesOf(site)).filter(({ action }) => action !== "sign_in");
  assertEquals(entries.map(({ by, action, object }) => [by, action, object]), [
    [ADMIN, "user_deleted", { user: user.id }],
  ]);
  for await (const { value } of site.services.kv.list({ prefix: [] })) {
    assertFalse(
      JSON.stringify(value, (_, v) => typeof v === "bigint" ? String(v) : v)
        .includes("gone@example.org"),
    );
  }
});
