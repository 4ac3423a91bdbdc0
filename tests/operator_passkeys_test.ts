import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { MINUTE_MS } from "../lib/base/time.ts";
import { startBankSandbox } from "../sandbox/bank.ts";
import {
  ADMIN,
  BOARD,
  CONFIRM,
  type Operator,
  type OperatorPasskeyFixture,
  operatorPasskeyFixture,
  OTHER,
  REGISTER,
  SIGN_IN,
} from "./operator_passkey_site.ts";

/** A sensitive download, and a page that is not sensitive. */
const CSV = "/console/payments?format=csv";
const PAGE = "/console/payments";

/** Returns the statuses of the page and the download. */
const reach = async ({ open }: OperatorPasskeyFixture, operator: Operator) => [
  await open(operator, PAGE),
  await open(operator, CSV),
];

async function withPasskey(fixture: OperatorPasskeyFixture, email = ADMIN) {
  const operator = await fixture.byLink(email);
  const authenticator = fixture.authenticator(operator);
  assertEquals(await fixture.add(operator, authenticator), [201]);
  return { operator, authenticator };
}

Deno.test("the first passkey needs a session that began with a link within 15 minutes", async () => {
  await using fixture = await operatorPasskeyFixture();
  const operator = await fixture.byLink();
  assertEquals(await reach(fixture, operator), [200, 200]);
  fixture.clock.now += 15 * MINUTE_MS;
  const authenticator = fixture.authenticator(operator);
  assertEquals(await fixture.add(operator, authenticator), [403, "sign_in_again"]);
  const again = await fixture.byLink();
  assertEquals(await fixture.add(again, authenticator), [201]);
});

Deno.test("once an operator has a passkey, a mailed link opens no sensitive page", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { authenticator } = await withPasskey(fixture);
  const thief = await fixture.byLink();
  assertEquals(await reach(fixture, thief), [200, 403]);
  assertEquals(await fixture.add(thief, fixture.authenticator(thief)), [403, "passkey_required"]);
  assertEquals(await fixture.confirm(thief, authenticator), [200]);
  assertEquals(await reach(fixture, thief), [200, 200]);
  fixture.clock.now += 15 * MINUTE_MS;
  assertEquals(await reach(fixture, thief), [200, 403]);
});

Deno.test("a program gets 403 passkey_required as JSON", async () => {
  await using fixture = await operatorPasskeyFixture();
  await withPasskey(fixture);
  const operator = await fixture.byLink();
  const response = await fixture.send(operator, CSV);
  assertEquals([response.status, (await response.json()).error], [403, "passkey_required"]);
});

Deno.test("signing in with a passkey opens sensitive pages, on its own console only", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { authenticator } = await withPasskey(fixture);
  const [status, operator] = await fixture.signIn("commercial-console", authenticator);
  assertEquals(status, 200);
  assertEquals(await reach(fixture, operator), [200, 200]);
  for (const surface of ["foundation-console", "workbench"] as const) {
    const [status, , error] = await fixture.signIn(surface, authenticator);
    assertEquals([status, error], [401, "passkey_refused"], surface);
    const { origin } = new URL(fixture.site.services.surfaces.url(surface, "/")!);
    const [elsewhere, , refused] = await fixture.signIn(surface, authenticator, { origin });
    assertEquals([elsewhere, refused], [401, "passkey_refused"], surface);
  }
  // The other console asks for its own first passkey.
  assertEquals(await reach(fixture, await fixture.byLink(ADMIN, "foundation-console")), [200, 200]);
});

Deno.test("a copy of the cookie from before the passkey was used opens nothing", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { authenticator } = await withPasskey(fixture);
  const operator = await fixture.byLink();
  const copy = { ...operator };
  assertEquals(await fixture.confirm(operator, authenticator), [200]);
  assertEquals(await reach(fixture, copy), [302, 302]);
});

Deno.test("a response is used once, in its own session, and only for what it was asked for", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator, authenticator } = await withPasskey(fixture);
  const [, options] = await fixture.post(operator, CONFIRM, {});
  const response = await authenticator.signIn(options);
  const other = await fixture.byLink();
  const refused = async (operator: Operator, path: string) =>
    (await fixture.post(operator, path, { response }))[1].error;
  assertEquals(await refused(other, CONFIRM), "passkey_expired");
  assertEquals(await refused(operator, SIGN_IN), "passkey_expired");
  assertEquals(await refused(operator, CONFIRM), undefined);
  assertEquals(await refused(operator, CONFIRM), "passkey_expired");
});

Deno.test("an operator cannot confirm a session with another operator's passkey", async () => {
  await using fixture = await operatorPasskeyFixture();
  await withPasskey(fixture);
  const { authenticator } = await withPasskey(fixture, OTHER);
  const operator = await fixture.byLink();
  assertEquals(await fixture.confirm(operator, authenticator), [401, "passkey_refused"]);
  assertEquals(await reach(fixture, operator), [200, 403]);
});

Deno.test("a counter that goes back and a changed backup flag are refused, and the counter is logged", async () => {
  await using fixture = await operatorPasskeyFixture();
  const operator = await fixture.byLink();
  const authenticator = fixture.authenticator(operator, { counter: 5 });
  assertEquals(await fixture.add(operator, authenticator), [201]);
  assertEquals(await fixture.confirm(operator, authenticator, { counter: 5 }), [
    401,
    "passkey_refused",
  ]);
  assertEquals((await fixture.actions()).at(-1), "passkey_counter");
  const eligible = { counter: 6, backupEligible: true };
  assertEquals(await fixture.confirm(operator, authenticator, eligible), [401, "passkey_refused"]);
  assertEquals(await fixture.confirm(operator, authenticator, { counter: 6 }), [200]);
  const unverified = { counter: 7, userVerified: false };
  assertEquals(await fixture.confirm(operator, authenticator, unverified), [
    401,
    "passkey_refused",
  ]);
});

Deno.test("a second passkey needs the first one, even if its options were issued before that existed", async () => {
  await using fixture = await operatorPasskeyFixture();
  const [operator, thief] = [await fixture.byLink(), await fixture.byLink()];
  const [, options] = await fixture.post(thief, REGISTER, {});
  const response = await fixture.authenticator(thief).register(options);
  assertEquals(await fixture.add(operator, fixture.authenticator(operator)), [201]);
  const [status, { error }] = await fixture.post(thief, REGISTER, { response });
  assertEquals([status, error], [403, "passkey_required"]);
  assertEquals(await fixture.add(operator, fixture.authenticator(operator)), [201]);
});

Deno.test("two minutes after the use of a passkey, a copy of the cookie adds none and cannot finish adding one", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator: { surface }, authenticator } = await withPasskey(fixture);
  const [, operator] = await fixture.signIn(surface, authenticator);
  fixture.clock.now += 2 * MINUTE_MS - 100;
  const thief = { ...operator };
  const [status, options] = await fixture.post(thief, REGISTER, {});
  assertEquals(status, 200);
  const own = fixture.authenticator(thief);
  const response = await own.register(options);
  fixture.clock.now += 100;
  const [late, { error }] = await fixture.post(thief, REGISTER, { response });
  assertEquals([late, error], [403, "passkey_required"]);
  assertEquals(await fixture.add(thief, own), [403, "passkey_required"]);
  // Everything else that needs a passkey stays open.
  assertEquals(await reach(fixture, thief), [200, 200]);
  assertEquals(await fixture.confirm(operator, authenticator), [200]);
  assertEquals(await fixture.add(operator, fixture.authenticator(operator)), [201]);
});

Deno.test("a copy of the cookie removes the only passkey, and then neither adds one nor opens anything", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator } = await withPasskey(fixture);
  const thief = { ...operator };
  fixture.clock.now += 10 * MINUTE_MS;
  const [{ id }] = await passkeysOf(fixture);
  assertEquals(await fixture.open(thief, FORM, { act: "remove", id }), 303);
  assertEquals(await fixture.add(thief, fixture.authenticator(thief)), [403, "sign_in_again"]);
  assertEquals(await reach(fixture, thief), [200, 403]);
  // The owner of the mailbox got the mail about it, and begins again.
  const owner = await fixture.byLink();
  assertEquals(await reach(fixture, owner), [200, 200]);
  assertEquals(await fixture.add(owner, fixture.authenticator(owner)), [201]);
  assertEquals(await fixture.add(thief, fixture.authenticator(thief)), [403, "passkey_required"]);
});

Deno.test("the owner removes a passkey that a thief added within two minutes, and nothing of the thief's works", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator, authenticator } = await withPasskey(fixture);
  const thief = { ...operator };
  const stolen = fixture.authenticator(thief);
  const mine = (await passkeysOf(fixture))[0].id;
  assertEquals(await fixture.add(thief, stolen), [201]);
  // The thief's session continues under another cookie, so the owner is signed out and gets the mail.
  assertEquals(await reach(fixture, operator), [302, 302]);
  assertEquals(
    (await fixture.mails()).filter((mail) => mail.startsWith(`${ADMIN}: A passkey was added`))
      .length,
    2,
  );
  const [, owner] = await fixture.signIn(operator.surface, authenticator);
  const { id } = (await passkeysOf(fixture)).find(({ id }) => id !== mine)!;
  assertEquals(await fixture.open(owner, FORM, { act: "remove", id }), 303);
  assertEquals(await reach(fixture, thief), [302, 302]);
  assertEquals((await fixture.signIn(thief.surface, stolen))[0], 401);
  fixture.clock.now++;
  assertEquals((await fixture.signIn(owner.surface, authenticator))[0], 200);
});

const FORM = "/console/team/passkeys";

async function passkeysOf(fixture: OperatorPasskeyFixture) {
  const rows = fixture.site.services.kv.list<{ id: string; user_id: number; name: string }>({
    prefix: ["operator_passkeys"],
  });
  return await Array.fromAsync(rows, ({ value }) => value);
}

Deno.test("every change is mailed to the operator and all full administrators, and logged", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator } = await withPasskey(fixture, BOARD);
  const told = async (subject: string) =>
    assertEquals(
      await fixture.mails(),
      [ADMIN, BOARD, OTHER].map((to) => `${to}: ${subject}: ${BOARD}`),
    );
  await told("A passkey was added to a console");
  const [{ id }] = await passkeysOf(fixture);
  assertEquals(await fixture.open(operator, FORM, { act: "rename", id, name: "Key" }), 303);
  await told("A passkey of a console was renamed");
  assertEquals((await passkeysOf(fixture))[0].name, "Key");
  assertEquals(await fixture.open(operator, FORM, { act: "remove", id }), 303);
  await told("A passkey was removed from a console");
  assertEquals(await fixture.actions(), [
    "sign_in",
    "passkey_added",
    "passkey_renamed",
    "passkey_removed",
  ]);
});

Deno.test("removing a passkey needs a recent one, closes what it opened and ends other sessions", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator, authenticator } = await withPasskey(fixture);
  const second = fixture.authenticator(operator);
  assertEquals(await fixture.add(operator, second), [201]);
  const elsewhere = await fixture.byLink();
  const [{ id }] = (await passkeysOf(fixture)).filter(({ name }) => name === "Passkey");
  assertEquals(await fixture.open(elsewhere, FORM, { act: "remove", id }), 403);
  assertEquals(await fixture.open(operator, FORM, { act: "remove", id }), 303);
  assertEquals(await reach(fixture, elsewhere), [302, 302]);
  assertEquals(await reach(fixture, operator), [200, 403]);
  fixture.clock.now++;
  assertEquals(await fixture.confirm(operator, authenticator), [401, "passkey_refused"]);
  assertEquals(await fixture.confirm(operator, second), [200]);
});

Deno.test("an operator changes only their own passkeys", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator } = await withPasskey(fixture);
  await withPasskey(fixture, OTHER);
  const rows = fixture.site.services.kv.list<{ id: string; user_id: number }>({
    prefix: ["operator_passkeys"],
  });
  const other = (await Array.fromAsync(rows, ({ value }) => value)).find((row) =>
    row.user_id === 2
  )!;
  for (
    const form of [{ act: "rename", id: other.id, name: "x" }, { act: "remove", id: other.id }]
  ) {
    assertEquals(await fixture.open(operator, FORM, form as Record<string, string>), 404);
  }
});

/** Returns the code that an administrator sees after letting an operator replace passkeys. */
async function reset(fixture: OperatorPasskeyFixture, operator: Operator, user: string) {
  const response = await fixture.send(operator, FORM, {
    method: "POST",
    headers: { accept: "text/html" },
    body: new URLSearchParams({ act: "reset", user }),
  });
  const text = await response.text();
  return { status: response.status, code: />(\d{4} \d{4})</.exec(text)?.[1] };
}

Deno.test("an operator who has lost the passkeys adds a new one with a link and another administrator's code", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator: lost, authenticator: old } = await withPasskey(fixture);
  const { operator: helper } = await withPasskey(fixture, OTHER);
  await fixture.mails();

  const { code } = await reset(fixture, helper, "1");
  const subject = `An operator may add a new passkey: ${ADMIN}`;
  assertEquals(await fixture.mails(), [ADMIN, OTHER].map((to) => `${to}: ${subject}`));
  assertEquals(await reach(fixture, lost), [302, 302]);
  const [status] = await fixture.signIn("commercial-console", old);
  assertEquals(status, 401);

  const operator = await fixture.byLink();
  assertEquals(await reach(fixture, operator), [200, 403]);
  const authenticator = fixture.authenticator(operator);
  assertEquals(await fixture.add(operator, authenticator), [400, "wrong_code"]);
  assertEquals(await fixture.add(operator, authenticator, "0000 0000"), [400, "wrong_code"]);
  assertEquals(await fixture.add(operator, authenticator, code), [201]);
  assertEquals(await reach(fixture, operator), [200, 200]);
  // The code worked once.
  const thief = await fixture.byLink();
  assertEquals(await fixture.add(thief, fixture.authenticator(thief), code), [
    403,
    "passkey_required",
  ]);
});

Deno.test("a code expires after an hour and five attempts, and the passkeys stay removed", async () => {
  await using fixture = await operatorPasskeyFixture();
  await withPasskey(fixture);
  const { operator: helper, authenticator: key } = await withPasskey(fixture, OTHER);
  const first = await reset(fixture, helper, "1");
  const thief = await fixture.byLink();
  const authenticator = fixture.authenticator(thief);
  for (let i = 0; i < 5; i++) {
    assertEquals(await fixture.add(thief, authenticator, "1234"), [400, "wrong_code"]);
  }
  assertEquals(await fixture.add(thief, authenticator, first.code), [400, "wrong_code"]);
  const second = await reset(fixture, helper, "1");
  fixture.clock.now += 60 * MINUTE_MS;
  const late = await fixture.byLink();
  assertEquals(await fixture.add(late, authenticator, second.code), [400, "wrong_code"]);
  assertEquals(await reach(fixture, late), [200, 403]);
  assertEquals(await fixture.confirm(helper, key), [200]);
  const third = await reset(fixture, helper, "1");
  const again = await fixture.byLink();
  assertEquals(await fixture.add(again, authenticator, third.code), [201]);
});

Deno.test("only another full administrator who has used a passkey removes somebody's passkeys", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator } = await withPasskey(fixture);
  const withoutPasskey = await fixture.byLink(OTHER);
  assertEquals((await reset(fixture, withoutPasskey, "1")).status, 403);
  const { operator: board } = await withPasskey(fixture, BOARD);
  assertEquals((await reset(fixture, board, "1")).status, 403);
  assertEquals((await reset(fixture, operator, "1")).status, 409);
  assertEquals((await passkeysOf(fixture)).length, 2);
});

Deno.test("a link from the server lets a new passkey replace all others, once", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator: lost, authenticator: old } = await withPasskey(fixture);
  const operator = await fixture.byLink(ADMIN, "commercial-console", { replacesPasskeys: true });
  assertEquals(await reach(fixture, operator), [200, 403]);
  const copy = { ...operator };
  fixture.clock.now += 1;
  assertEquals(await fixture.add(operator, fixture.authenticator(operator)), [201]);
  assertEquals(await reach(fixture, operator), [200, 200]);
  assertEquals((await passkeysOf(fixture)).length, 1);
  assertEquals((await fixture.signIn("commercial-console", old))[0], 401);
  assertEquals((await reach(fixture, lost))[1], 302);
  assertEquals((await reach(fixture, copy))[1], 302);
});

Deno.test("with OPS_REQUIRE_PASSKEY=1 a link opens nothing but the addition of the first passkey", async () => {
  await using fixture = await operatorPasskeyFixture({ OPS_REQUIRE_PASSKEY: "1" });
  const paths = [
    "/console",
    PAGE,
    CSV,
    "/api/bank/summary",
    "/console/alerts/count",
    "/console/team",
  ];
  const statuses = async (operator: Operator) => {
    const found = [];
    for (const path of paths) found.push(await fixture.open(operator, path));
    return found;
  };
  const operator = await fixture.byLink();
  assertEquals(await statuses(operator), paths.map(() => 403));
  const authenticator = fixture.authenticator(operator);
  assertEquals(await fixture.add(operator, authenticator), [201]);
  assertEquals(await statuses(operator), paths.map(() => 200));
  assertEquals(await statuses(await fixture.byLink()), paths.map(() => 403));
  // Later in the session, only sensitive pages ask again.
  fixture.clock.now += 15 * MINUTE_MS;
  assertEquals(await reach(fixture, operator), [200, 403]);
  assertEquals(await fixture.confirm(operator, authenticator), [200]);
  const [{ id }] = await passkeysOf(fixture);
  assertEquals(await fixture.open(operator, FORM, { act: "remove", id }), 409);
});

Deno.test("the page that asks for a passkey repeats a form with everything that was entered", async () => {
  await using fixture = await operatorPasskeyFixture();
  await withPasskey(fixture);
  const operator = await fixture.byLink();
  const body = { format: "csv", text: `a "quoted" <value> & more` };
  const response = await fixture.send(operator, "/console/records", {
    method: "POST",
    headers: { accept: "text/html" },
    body: new URLSearchParams(body),
  });
  const text = await response.text();
  assertEquals(response.status, 403);
  assertStringIncludes(text, `action="/console/records"`);
  assertStringIncludes(text, `name="text" value="a &quot;quoted&quot; &lt;value> &amp; more"`);
  assertStringIncludes(text, "requires JavaScript");
});

const ADA = "ada@example.org";

/** Adds an operator of both consoles, as accepted invitations do. */
async function join({ site: { services }, clock }: OperatorPasskeyFixture) {
  const at = new Date(clock.now).toISOString();
  const row = { email: ADA, layer: "L1", sessions_from: at, added_at: at, invited_by: ADMIN };
  for (const organisation of ["foundation", "commercial"]) {
    await services.kv.set(["operators", organisation, ADA], row);
  }
}

Deno.test("removing an operator erases the passkeys of that console, and the operator begins again after an invitation", async () => {
  await using fixture = await operatorPasskeyFixture();
  await join(fixture);
  const { operator, authenticator } = await withPasskey(fixture, ADA);
  const elsewhere = await fixture.byLink(ADA, "foundation-console");
  assertEquals(await fixture.add(elsewhere, fixture.authenticator(elsewhere)), [201]);
  const { team } = fixture.site.services;
  assertEquals(await team.remove({ organisation: "commercial", by: ADMIN }, ADA), { ok: true });
  assertEquals((await passkeysOf(fixture)).length, 1);
  assertEquals(await reach(fixture, operator), [302, 302]);
  assertEquals((await fixture.signIn("commercial-console", authenticator))[0], 401);
  await join(fixture);
  const back = await fixture.byLink(ADA);
  assertEquals(await reach(fixture, back), [200, 200]);
  assertEquals(await fixture.add(back, fixture.authenticator(back)), [201]);
  assertEquals(await reach(fixture, await fixture.byLink(ADA)), [200, 403]);
});

Deno.test("leaving the console's list keeps the passkeys of somebody whom the configuration names", async () => {
  await using fixture = await operatorPasskeyFixture();
  await withPasskey(fixture);
  const { operatorPasskeys } = fixture.site.services;
  await operatorPasskeys.erase({ email: ADMIN, organisation: "commercial" });
  assertEquals((await passkeysOf(fixture)).length, 1);
});

Deno.test("passkeys of people whom the configuration no longer names are erased after 30 days", async () => {
  await using fixture = await operatorPasskeyFixture({ OPS_L2_EMAILS: "" });
  const { jobs, kv } = fixture.site.services;
  await withPasskey(fixture);
  await withPasskey(fixture, OTHER);
  const orphan = await kv.get<object>(["operator_passkey_accounts", 2, "commercial-console"]);
  await kv.set(orphan.key, { ...orphan.value, email: "gone@example.org" });
  const erase = async () => (await jobs.run("due-nightly"))?.detail;
  assertEquals(await erase(), "0 deleted");
  fixture.clock.now += 30 * 24 * 60 * MINUTE_MS;
  assertEquals(await erase(), "1 deleted");
  assertEquals((await passkeysOf(fixture)).length, 1);
});

Deno.test("deleting an account deletes its passkeys, and no row has the address of a deleted user", async () => {
  await using fixture = await operatorPasskeyFixture();
  await withPasskey(fixture);
  const { auth, operatorPasskeys, surfaces } = fixture.site.services;
  const unprotected = () => operatorPasskeys.unprotected(surfaces.get("commercial-console")!);
  assertEquals(await unprotected(), [BOARD, OTHER]);
  await auth.deleteUser(ADMIN);
  assertEquals(await unprotected(), [ADMIN, BOARD, OTHER]);
  for (
    const prefix of ["operator_passkeys", "operator_passkeys_by_user", "operator_passkey_accounts"]
  ) {
    const rows = await Array.fromAsync(fixture.site.services.kv.list({ prefix: [prefix] }));
    assertEquals(rows, [], prefix);
  }
});

Deno.test("a console deletes no account of an operator, nor one with a passkey of any console", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { auth, config, kv } = fixture.site.services;
  const foundation = await fixture.byLink(ADMIN, "foundation-console");
  assertEquals(await fixture.add(foundation, fixture.authenticator(foundation)), [201]);
  const operator = await fixture.byLink(OTHER);
  await fixture.byLink(BOARD);
  const at = new Date(fixture.clock.now).toISOString();
  const row = { email: ADA, layer: "L2", sessions_from: at, added_at: at, invited_by: OTHER };
  await kv.set(["operators", "foundation", ADA], row);
  await fixture.byLink(ADA, "foundation-console");
  const remove = async (email: string) => {
    const { id } = (await auth.findUser(email))!;
    return await fixture.open(operator, `/console/users/${id}`, { confirm: "yes" });
  };
  assertEquals([await remove(ADMIN), await remove(BOARD), await remove(ADA)], [409, 409, 409]);
  config.ops.l1.splice(0, 1);
  config.ops.l2.splice(0);
  assertEquals([await remove(ADMIN), await remove(BOARD)], [409, 303]);
  assertEquals((await passkeysOf(fixture)).length, 1);
});

Deno.test("an operator can ask 30 times in an hour to add a passkey, and another operator still can afterwards", async () => {
  await using fixture = await operatorPasskeyFixture();
  const [operator, other] = [await fixture.byLink(), await fixture.byLink(OTHER)];
  const ask = async (as: Operator) => (await fixture.post(as, REGISTER, {}))[0];
  for (let i = 0; i < 30; i++) assertEquals(await ask(operator), 200);
  assertEquals([await ask(operator), await ask(other)], [429, 200]);
});

Deno.test("a thief with a mailed link uses up none of the operator's limits", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { operator, authenticator } = await withPasskey(fixture);
  const { operator: helper } = await withPasskey(fixture, OTHER);
  const thief = await fixture.byLink();
  const [{ id }] = await passkeysOf(fixture);
  for (let i = 0; i < 31; i++) {
    assertEquals(await fixture.open(thief, FORM, { act: "rename", id, name: `n${i}` }), 403);
  }
  for (let i = 0; i < 120; i++) await fixture.post(thief, CONFIRM, {});
  assertEquals((await fixture.post(thief, CONFIRM, {}))[0], 429);
  assertEquals(await fixture.confirm(operator, authenticator), [200]);
  assertEquals(await fixture.add(operator, fixture.authenticator(operator)), [201]);
  // Changes with a passkey do not use up what another administrator needs to help.
  for (let i = 0; i < 30; i++) {
    await fixture.open(operator, FORM, { act: "rename", id, name: `m${i}` });
  }
  assertEquals((await reset(fixture, helper, "1")).status, 200);
});

/** Sensitive requests of an operator, most to objects that do not exist. */
const SENSITIVE: [path: string, form?: Record<string, string>][] = [
  [`/console/records/${"0".repeat(64)}`, { act: "delete" }],
  [`/console/records/${"0".repeat(64)}/documents/x`],
  [`/console/records/${"0".repeat(64)}/documents/x/view`],
  [`/console/records/${"0".repeat(64)}/documents/x/file`],
  [`/console/records/${"0".repeat(64)}/documents`, {}],
  ["/console/records", { format: "csv" }],
  ["/console/payments?format=csv"],
  ["/console/audit?format=csv"],
  ["/console/users/1", { confirm: "yes" }],
  ["/console/alerts", { act: "approve", id: "x" }],
  ["/console/team", { act: "invite", email: "eve@example.org", layer: "L1" }],
  ["/console/team/x", { act: "remove_operator" }],
  [`/console/inbox/${"0".repeat(64)}/reply`, { text: "Hello" }],
  ["/console/issuers", { name: "" }],
  ["/console/issuers/x/settings", { act: "rename", name: "" }],
  ["/console/issuers/x/pictures/logo", {}],
  ["/console/finance/limits", {}],
  ["/console/finance/x?format=csv"],
  ["/console/team", { act: "invite_again", person: "0".repeat(16) }],
  ["/console/team", { act: "withdraw_invitation", person: "0".repeat(16) }],
  ["/console/team/x", { act: "change_layer" }],
  ["/console/team/x", { act: "end_sessions" }],
  [FORM, { act: "rename", id: "0".repeat(64), name: "x" }],
  [FORM, { act: "remove", id: "0".repeat(64) }],
];

/** Routes of consoles that change or export something without asking for a passkey, and why. */
const UNGATED: Record<string, string> = {
  "/console/inbox": "a search",
  "/console/search": "a search",
  "/console/users": "a search",
  "/console/issuers/:id": "a search of the issuer's documents",
  "/console/inbox/:hash": "notes, owners and states are seen by the team and can be changed back",
  "/console/records/:hash/documents/:id/printed": "only counts the print of a page that is open",
  "/console/team/join": "the invited person is not an operator yet, and has no passkey",
  "/api/auth/passkey/sign-in": "uses a passkey",
  "/api/auth/passkey/confirm": "uses a passkey",
  "/api/auth/passkey/register": "has its own rules, see `Adding`",
  "/api/bank/refresh": "reads the bank again",
  "/api/payments/webhook": "called by the payment provider, which signs it",
  "/api/push/send": "sends a fixed text to the holder's own devices, and is logged",
};

Deno.test("every route of a console that accepts POST or exports CSV asks for a passkey or is listed with a reason", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { routes } = fixture.site.services.surfaces.get("commercial-console")!;
  const found: string[] = [];
  for (
    const { path } of routes.filter(({ path }) =>
      /^\/(console|api\/(?!auth\/(?!passkey)))/.test(path)
    )
  ) {
    const file = path.replaceAll(/:(\w+)/g, "[$1]");
    for (const end of [".ts", ".tsx", "/index.ts", "/index.tsx"]) {
      const source = await Deno.readTextFile(new URL(`../routes${file}${end}`, import.meta.url))
        .catch(() => "");
      if (!/\bPOST\b\s*[(:]|"csv"/.test(source)) continue;
      found.push(path);
      assert(
        /\b(requirePasskey|openInConsole|actOnIssuer)\((?!.*open: true)/.test(source) !==
          (path in UNGATED),
        path,
      );
    }
  }
  assertEquals(Object.keys(UNGATED).filter((path) => !found.includes(path)), []);
});

/**
 * Routes of consoles that return the data of a page to programs, with an example, and that page. They
 * follow the page's rule: what the page shows without a passkey, its data needs none for either.
 */
const DATA: Record<string, [data: string, page: string]> = {
  "/console/finance/:id": ["/console/finance/ACCOUNT?format=json", "/console/finance/ACCOUNT"],
  "/api/bank/summary": ["/api/bank/summary", "/console"],
  "/api/bank/accounts": ["/api/bank/accounts", "/console/finance"],
  "/api/bank/transactions": [
    "/api/bank/transactions?account_id=ACCOUNT",
    "/console/finance/ACCOUNT",
  ],
};

Deno.test("the bank's data as JSON needs a recent passkey if its page does, and exports always do", async () => {
  await using bank = startBankSandbox();
  await using fixture = await operatorPasskeyFixture({
    BANK_API_BASE: bank.baseUrl,
    COMMERCIAL_BANK_API_TOKEN: bank.tokens.commercial,
  });
  const { routes } = fixture.site.services.surfaces.get("commercial-console")!;
  const reads = routes.map(({ path }) => path).filter((path) => path.startsWith("/api/bank/"));
  assertEquals(reads.filter((path) => !(path in DATA) && !(path in UNGATED)), []);
  await withPasskey(fixture);
  const operator = await fixture.byLink();
  const accounts = await fixture.send(operator, "/api/bank/accounts");
  const { id } = (await accounts.json()).accounts[0];
  const statuses = async (path: string) =>
    await fixture.open(operator, path.replace("ACCOUNT", id));
  for (const [data, page] of Object.values(DATA)) {
    assertEquals(await statuses(data), await statuses(page), data);
  }
  assertEquals(await statuses("/console/finance/ACCOUNT?format=csv"), 403);
});

Deno.test("every sensitive request needs a recent passkey, and none does without one", async () => {
  await using fixture = await operatorPasskeyFixture();
  const before = await fixture.byLink(OTHER);
  await withPasskey(fixture);
  const operator = await fixture.byLink();
  for (const [path, form] of SENSITIVE) {
    assertEquals(await fixture.open(operator, path, form), 403, path);
    assert(await fixture.open(before, path, form) !== 403, path);
  }
});

Deno.test("a passkey does not sign in somebody who is no longer an operator", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { authenticator } = await withPasskey(fixture);
  const { config } = fixture.site.services;
  config.ops.l1.splice(0);
  const [status, , error] = await fixture.signIn("commercial-console", authenticator);
  assertEquals([status, error], [401, "passkey_refused"]);
});

Deno.test("the sign-in page of a console offers passkeys, that of the qualification site does not", async () => {
  await using fixture = await operatorPasskeyFixture();
  const page = async (surface: "site" | "commercial-console") =>
    await (await fixture.site.request(surface, "/auth")).text();
  const console = await page("commercial-console");
  assertStringIncludes(console, `autocomplete="username webauthn"`);
  assertStringIncludes(console, "passkey-sign-in");
  assert(!(await page("site")).includes("webauthn"));
});

Deno.test("each sign-in with a link ends on the page that asks for a passkey, until the operator has one", async () => {
  await using fixture = await operatorPasskeyFixture();
  const { site } = fixture;
  /** Signs in with a mailed link, and returns the browser and where it is led. */
  const signIn = async (email: string, next?: string) => {
    const operator: Operator = { surface: "commercial-console", cookie: "" };
    const { token } = await site.services.auth.issueLink({
      email,
      surface: operator.surface,
      next,
    });
    const response = await fixture.send(operator, `/auth/verify?token=${token}`);
    return { operator, location: response.headers.get("location")! };
  };
  const textOf = async (operator: Operator, path: string) =>
    await (await fixture.send(operator, path, { headers: { accept: "text/html" } })).text();
  for (const email of [ADMIN, BOARD]) {
    for (let i = 0; i < 2; i++) {
      const { operator, location } = await signIn(email, "/console/surfaces?a=1");
      assertEquals(location, "/console/team/passkeys?next=%2Fconsole%2Fsurfaces%3Fa%3D1");
      const html = await textOf(operator, location);
      assertStringIncludes(html, "Add your passkey");
      assertMatch(html, /<a class="button" href="\/console\/surfaces\?a=1"[^>]*>Later/);
    }
  }
  const { operator, location } = await signIn(ADMIN);
  assertEquals(await fixture.add(operator, fixture.authenticator(operator)), [201]);
  const added = await fixture.send(operator, location);
  assertEquals([added.status, added.headers.get("location")], [303, "/console"]);
  assertEquals((await signIn(ADMIN)).location, "/console");
  assertStringIncludes((await signIn(OTHER)).location, "/console/team/passkeys");
  // A later part of a URL leads nowhere else.
  const { operator: other } = await signIn(OTHER);
  const html = await textOf(other, "/console/team/passkeys?next=//evil.example");
  assertMatch(html, /<a class="button" href="\/console"[^>]*>Later/);
  fixture.clock.now += 15 * MINUTE_MS;
  assertStringIncludes(await textOf(other, "/console/team/passkeys"), "sign in again");
});

Deno.test("Team and the dashboard name the operators without a passkey, for administrators only", async () => {
  await using fixture = await operatorPasskeyFixture();
  const pages = async (email: string, surface: Operator["surface"] = "commercial-console") => {
    const operator = await fixture.byLink(email, surface);
    const read = async (path: string) => {
      const response = await fixture.send(operator, path, { headers: { accept: "text/html" } });
      return (await response.text()).replaceAll(/<!-- -->/g, "");
    };
    const team = await read("/console/team");
    const named = team.split("<li").filter((item) => item.includes("No passkey"))
      .map((item) => /<strong>(.*?)<\/strong>/.exec(item)![1]).sort();
    return { named, line: /Without a passkey: (.*?)\. Whoever/.exec(await read("/console"))?.[1] };
  };
  const all = [ADMIN, BOARD, OTHER];
  assertEquals(await pages(ADMIN), { named: all, line: all.join(", ") });
  assertEquals(await pages(BOARD), { named: [], line: undefined });
  await withPasskey(fixture);
  await withPasskey(fixture, BOARD);
  for (const email of [ADMIN, OTHER]) {
    assertEquals(await pages(email), { named: [OTHER], line: OTHER });
  }
  assertEquals((await pages(OTHER, "foundation-console")).named, all);
  const { operator: helper } = await withPasskey(fixture, OTHER);
  assertEquals(await pages(OTHER), { named: [], line: undefined });
  const board = await fixture.site.services.auth.findUserId(BOARD);
  assertEquals((await reset(fixture, helper, String(board))).status, 200);
  assertEquals(await pages(OTHER), { named: [BOARD], line: BOARD });
  const other = await fixture.site.services.auth.findUserId(OTHER);
  const { id } = (await passkeysOf(fixture)).find(({ user_id }) => user_id === other)!;
  assertEquals(await fixture.open(helper, FORM, { act: "remove", id }), 303);
  assertEquals(await pages(OTHER), { named: [BOARD, OTHER], line: [BOARD, OTHER].join(", ") });
});
