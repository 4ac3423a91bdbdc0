import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { MAX_PASSKEYS } from "../lib/features/passkeys/mod.ts";
import { Authenticator, type Deviation } from "../lib/features/passkeys/testing/authenticator.ts";
import { passkeyData, recordRows } from "../lib/features/records/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { errorOf, PERSON, statusOf } from "./contact_site.ts";
import { BROWSER, type PasskeyFixture, passkeyFixture, REGISTER, VERIFY } from "./passkey_site.ts";
import { samplesOf } from "./metric_samples.ts";
import type { TestHolder } from "./record_site.ts";

const GOOGLE = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) Chrome/153.0 Safari/537.36";
const OTHER_PERSON = { ...PERSON, email: "other@mail.example.org" };

Deno.test("a holder adds a passkey and signs in with it", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator({ backupEligible: true });
  fixture.clock.now++; // entries of the access log are ordered by time
  const added = await fixture.add(holder, authenticator, { aaguid: GOOGLE });
  assertEquals(added.status, 201);
  const { passkey } = await added.json();
  assertEquals([passkey.name, passkey.provider, passkey.synced, passkey.last_used], [
    "Google Password Manager",
    "Google Password Manager",
    false,
    null,
  ]);

  fixture.clock.now += 60 * MINUTE_MS;
  const response = await fixture.enter(authenticator, { backedUp: true });
  assertEquals([response.status, await response.json()], [200, {
    step: "done",
    next: "/my-record",
  }]);
  const [cookie] = response.headers.getSetCookie();
  assertMatch(cookie, /^record_session=[\da-f-]{36}; HttpOnly; Secure; SameSite=Lax; /);
  const session = await fixture.site.services.records.session(
    new Request("http://trust.localhost", { headers: { cookie: cookie.split(";")[0] } }),
    "trust",
  );
  assertEquals([session?.record, session?.method], [holder.hash, "passkey"]);

  const { metrics } = fixture.site.services;
  const samples = samplesOf(await (await metrics.collect()).metrics());
  const counted = 'gatehouse_sign_ins_total{who="holder",method="passkey"}';
  assertEquals(samples.get(counted), 1);

  const [stored] = await fixture.passkeys(holder.hash);
  assertEquals([stored.backed_up, stored.last_used, stored.device_type, stored.algorithm], [
    true,
    fixture.clock.now,
    "multiDevice",
    -7,
  ]);
  assertEquals(stored.transports, ["internal", "hybrid"]);
  assertEquals(await fixture.accesses(holder.hash), ["signed_in", "passkey_added", "signed_in"]);
});

Deno.test("the options name the record, exclude its passkeys and require verification", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  const [first, second] = [
    await fixture.options(REGISTER, holder.cookie),
    await fixture.options(REGISTER, holder.cookie),
  ];
  assertNotEquals(first.challenge, second.challenge);
  assertEquals(first.challenge.length, 43);
  assertEquals(first.rp.id, "trust.localhost");
  assertEquals(first.user.name, `Record ${holder.hash.slice(0, 8)}`);
  assertEquals(first.user.id, authenticator.userHandle);
  assertEquals(first.attestation, "none");
  assertEquals(
    [first.authenticatorSelection.residentKey, first.authenticatorSelection.userVerification],
    ["required", "required"],
  );
  assertEquals(first.excludeCredentials, [{
    id: authenticator.credentialId,
    transports: ["internal", "hybrid"],
    type: "public-key",
  }]);

  const signIn = await fixture.options(VERIFY, BROWSER);
  assertEquals([signIn.rpId, signIn.userVerification, signIn.allowCredentials], [
    "trust.localhost",
    "required",
    [],
  ]);
});

Deno.test("a new passkey counts towards the level and is mailed to the holder", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const before = (await fixture.mails()).length;
  assertEquals(await statusOf(fixture.add(holder, fixture.authenticator())), 201);
  const record = await fixture.site.services.records.read(holder.hash);
  assertEquals(record?.row.passkeys, 1);
  const [mail, ...others] = await fixture.mails();
  assertEquals(others.length, before);
  assertMatch(mail.subject, /passkey was added/);
});

const REFUSED: Record<string, Deviation> = {
  "of another origin": { origin: "http://localhost:8000" },
  "of a subdomain of the origin": { origin: "http://evil.trust.localhost:8000" },
  "for another relying party": { rpId: "localhost" },
  "without user verification": { userVerified: false },
  "without user presence": { userPresent: false },
  "that is synced but cannot be": { backedUp: true },
};

for (const [name, deviation] of Object.entries(REFUSED)) {
  Deno.test(`a registration and a sign-in ${name} are refused with 401`, async () => {
    await using fixture = await passkeyFixture();
    const holder = await fixture.holder();
    const expected = { status: 401, error: "passkey_refused", issues: undefined };
    assertEquals(
      await errorOf(await fixture.add(holder, fixture.authenticator(), deviation)),
      expected,
    );
    const authenticator = fixture.authenticator();
    assertEquals(await statusOf(fixture.add(holder, authenticator)), 201);
    assertEquals(await errorOf(await fixture.enter(authenticator, deviation)), expected);
    assertEquals(await statusOf(fixture.enter(authenticator)), 200);
  });
}

Deno.test("a response from a frame inside another site is refused", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  const framed = { crossOrigin: true };
  assertEquals(await statusOf(fixture.add(holder, authenticator, framed)), 400);
  assertEquals(await statusOf(fixture.add(holder, authenticator)), 201);
  assertEquals(await statusOf(fixture.enter(authenticator, framed)), 400);
});

Deno.test("an attestation is ignored, and its certificates are not read", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const statement = new Map([["x5c", [new Uint8Array([1, 2, 3])]]]);
  const attestation = { format: "packed", statement };
  assertEquals(await statusOf(fixture.add(holder, fixture.authenticator(), { attestation })), 201);
});

Deno.test("an unknown, a removed and another person's passkey and a wrong signature get the same response", async () => {
  await using fixture = await passkeyFixture();
  const [holder, other] = [await fixture.holder(), await fixture.holder(OTHER_PERSON)];
  const [mine, theirs, removed] = [1, 2, 3].map(() => fixture.authenticator());
  await statusOf(fixture.add(holder, mine));
  await statusOf(fixture.add(holder, removed));
  await statusOf(fixture.add(other, theirs));
  const { id } = (await fixture.passkeys(holder.hash))
    .find(({ credential_id }) => credential_id === removed.credentialId)!;
  const form = { act: "remove", id };
  const gone = await fixture.fetch("/my-record/passkeys", { cookie: holder.cookie, form });
  assertEquals([await statusOf(gone), gone.headers.get("location")], [
    303,
    "/my-record?passkey=removed#passkeys",
  ]);

  const unknown = fixture.authenticator();
  unknown.userHandle = mine.userHandle;
  const responses = [
    await fixture.enter(unknown),
    await fixture.enter(removed),
    await fixture.enter(theirs, { userHandle: mine.userHandle }),
    await fixture.enter(unknown, { credentialId: mine.credentialId }),
  ];
  const texts = await Promise.all(responses.map((response) => response.text()));
  assertEquals(responses.map(({ status }) => status), [401, 401, 401, 401]);
  assertEquals(new Set(texts).size, 1);
  assertEquals(await statusOf(fixture.enter(mine)), 200);
});

Deno.test("a registration whose id differs from the authenticator's, or for a replaced record, is refused", async () => {
  await using fixture = await passkeyFixture();
  const { hash, cookie } = await fixture.holder();
  const register = async (id?: string) => {
    const response = await fixture.authenticator()
      .register(await fixture.options(REGISTER, cookie));
    return { ...response, ...id === undefined ? {} : { id, rawId: id } };
  };
  const renamed = await register("A".repeat(43));
  const sent = fixture.fetch(REGISTER, { cookie, json: { response: renamed } });
  assertEquals(await statusOf(sent), 401);

  const response = await register();
  const { kv, records } = fixture.site.services;
  const { row } = (await records.read(hash))!;
  await kv.set(["records", hash], { ...row, replaced_by: "f".repeat(64) });
  assertEquals(await statusOf(fixture.fetch(REGISTER, { cookie, json: { response } })), 404);
});

Deno.test("a passkey works only on the surface where it was added", async () => {
  await using fixture = await passkeyFixture();
  const { site } = fixture;
  const holder = await fixture.holder();
  const { baseUrl } = site.services.surfaces.get("workbench")!;
  const send = async (path: string, cookie: string, json: unknown) =>
    await site.request("workbench", path, {
      method: "POST",
      headers: { cookie, origin: baseUrl, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
  const signIn = async (authenticator: Authenticator, deviation?: Deviation) => {
    const options = await (await send(VERIFY, BROWSER, {})).json();
    const response = await authenticator.signIn(options, deviation);
    return statusOf(send(VERIFY, BROWSER, { response }));
  };

  const local = new Authenticator(baseUrl);
  const cookie = await fixture.signIn([holder.hash], { on: "workbench" });
  const options = await (await send(REGISTER, cookie, {})).json();
  assertEquals(options.rp.id, "localhost");
  const response = await local.register(options);
  assertEquals(await statusOf(send(REGISTER, cookie, { response })), 201);
  assertEquals(await signIn(local), 200);

  const other = fixture.authenticator();
  assertEquals(await statusOf(fixture.add(holder, other)), 201);
  assertEquals(await signIn(other, { origin: baseUrl }), 401);
});

Deno.test("a credential id that another record uses cannot be registered again", async () => {
  await using fixture = await passkeyFixture();
  const [holder, other] = [await fixture.holder(), await fixture.holder(OTHER_PERSON)];
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  const { credentialId } = authenticator;
  const response = await fixture.add(other, fixture.authenticator(), { credentialId });
  assertEquals(await statusOf(response), 401);
  assertEquals((await fixture.passkeys(other.hash)).length, 0);
  assertEquals(await statusOf(fixture.enter(authenticator)), 200);
});

Deno.test("of two records that register one credential id at the same time, one gets it", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await passkeyFixture({}, { kv });
  const [holder, other] = [await fixture.holder(), await fixture.holder(OTHER_PERSON)];
  const authenticator = fixture.authenticator();
  const { credentialId } = authenticator;
  const add = (to: TestHolder) =>
    statusOf(fixture.add(to, fixture.authenticator(), { credentialId }));
  let first = 0;
  kv.meanwhile("passkey_credentials", async () => first = await add(other));
  assertEquals([await add(holder), first], [401, 201]);
  const counts = [holder, other].map(async ({ hash }) => (await fixture.passkeys(hash)).length);
  assertEquals(await Promise.all(counts), [0, 1]);
});

Deno.test("a response is accepted once, even if it failed", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  const expired = { status: 400, error: "passkey_expired", issues: undefined };

  const registration = await authenticator.register(
    await fixture.options(REGISTER, holder.cookie),
  );
  const register = () =>
    fixture.fetch(REGISTER, { cookie: holder.cookie, json: { response: registration } });
  assertEquals(await statusOf(register()), 201);
  assertEquals(await errorOf(await register()), expired);

  const options = await fixture.options(VERIFY, BROWSER);
  const send = async (deviation?: Deviation) =>
    fixture.fetch(VERIFY, {
      cookie: BROWSER,
      json: { response: await authenticator.signIn(options, deviation) },
    });
  assertEquals(await statusOf(send({ userVerified: false })), 401);
  assertEquals(await errorOf(await send()), expired);
});

Deno.test("40 concurrent responses to one challenge start one session", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  const before = await fixture.count("record_sessions");
  const response = await authenticator.signIn(await fixture.options(VERIFY, BROWSER));
  const send = () => statusOf(fixture.fetch(VERIFY, { cookie: BROWSER, json: { response } }));
  const statuses = await Promise.all(Array.from({ length: 40 }, send));
  assertEquals(statuses.filter((status) => status === 200).length, 1);
  assertEquals(statuses.filter((status) => status === 400).length, 39);
  assertEquals(await fixture.count("record_sessions"), before + 1);
});

Deno.test("40 concurrent registrations with one challenge add one passkey", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const { cookie } = holder;
  const response = await fixture.authenticator()
    .register(await fixture.options(REGISTER, cookie));
  const send = () => statusOf(fixture.fetch(REGISTER, { cookie, json: { response } }));
  const statuses = await Promise.all(Array.from({ length: 40 }, send));
  assertEquals(statuses.filter((status) => status === 201).length, 1);
  assertEquals((await fixture.passkeys(holder.hash)).length, 1);
  assertEquals((await fixture.site.services.records.read(holder.hash))?.row.passkeys, 1);
});

Deno.test("a challenge of another browser, session, ceremony or time is refused with 400", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));

  const otherTab = await fixture.options(VERIFY, BROWSER);
  const signIn = await fixture.options(VERIFY, BROWSER);
  const assertion = await authenticator.signIn(signIn);
  const fromOtherTab = await authenticator.signIn(otherTab);
  const own = fixture.fetch(VERIFY, { cookie: BROWSER, json: { response: fromOtherTab } });
  assertEquals(await statusOf(own), 200, "another tab of the same browser");
  for (const cookie of [undefined, `record_browser=${"c".repeat(22)}`]) {
    const sent = fixture.fetch(VERIFY, { cookie, json: { response: assertion } });
    assertEquals(await statusOf(sent), 400);
  }

  const options = await fixture.options(REGISTER, holder.cookie);
  const registration = await fixture.authenticator().register(options);
  const cookie = await fixture.signIn([holder.hash]);
  const sent = fixture.fetch(REGISTER, { cookie, json: { response: registration } });
  assertEquals(await statusOf(sent), 400, "another session");

  const crossed = await authenticator.signIn({ ...signIn, challenge: options.challenge });
  const asSignIn = fixture.fetch(VERIFY, { cookie: BROWSER, json: { response: crossed } });
  assertEquals(await statusOf(asSignIn), 400, "another ceremony");
  const asIs = fixture.fetch(VERIFY, { cookie: BROWSER, json: { response: registration } });
  assertEquals(await errorOf(await asIs).then(({ error }) => error), "invalid_request");

  fixture.clock.now += 5 * MINUTE_MS;
  const late = fixture.fetch(VERIFY, { cookie: BROWSER, json: { response: assertion } });
  assertEquals(await statusOf(late), 400, "after five minutes");
});

Deno.test("a counter that goes back is refused and logged, and the passkey is kept", async () => {
  const lines: Record<string, unknown>[] = [];
  await using fixture = await passkeyFixture({}, { log: (line) => lines.push(line) });
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator, { counter: 7 }));
  assertEquals(await statusOf(fixture.enter(authenticator, { counter: 8 })), 200);
  fixture.clock.now++; // entries of the access log are ordered by time
  assertEquals(await statusOf(fixture.enter(authenticator, { counter: 8 })), 401);
  assertEquals(lines, [
    { level: "warn", event: "passkey_counter_went_back", stored: 8, received: 8 },
  ]);
  assertEquals((await fixture.accesses(holder.hash)).at(-1), "passkey_counter");
  const [mail] = await fixture.mails();
  assertMatch(mail.subject, /^A passkey of your record may have been copied/);
  assertEquals((await fixture.passkeys(holder.hash)).map(({ sign_count }) => sign_count), [8]);
  assertEquals(await statusOf(fixture.enter(authenticator, { counter: 9 })), 200);

  // A response without a valid signature logs nothing.
  const forger = fixture.authenticator();
  forger.userHandle = authenticator.userHandle;
  const { credentialId } = authenticator;
  assertEquals(await statusOf(fixture.enter(forger, { credentialId, counter: 1 })), 401);
  assertEquals(lines.length, 1);
  assertEquals((await fixture.mails())[0].subject, mail.subject);
  await useNotice(fixture);
  assertEquals(await fixture.passkeys(holder.hash), []);
});

Deno.test("a passkey that becomes eligible for backup is refused", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  assertEquals(await statusOf(fixture.enter(authenticator, { backupEligible: true })), 401);
  assertEquals(await statusOf(fixture.enter(authenticator)), 200);
});

Deno.test("adding a passkey requires a recent sign-in", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const anonymous = await fixture.fetch(REGISTER, { json: {} });
  assertEquals((await errorOf(anonymous)).error, "unauthenticated");
  const cookie = await fixture.signIn([holder.hash], { recent: false });
  const old = await fixture.fetch(REGISTER, { cookie, json: {} });
  assertEquals(await errorOf(old), { status: 403, error: "sign_in_again", issues: undefined });
});

Deno.test(`a record has at most ${MAX_PASSKEYS} passkeys`, async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const options = await fixture.options(REGISTER, holder.cookie);
  for (let i = 0; i < MAX_PASSKEYS; i++) {
    assertEquals(await statusOf(fixture.add(holder, fixture.authenticator())), 201);
  }
  const refused = await fixture.fetch(REGISTER, { cookie: holder.cookie, json: {} });
  assertEquals((await errorOf(refused)).error, "too_many_passkeys");
  const response = await fixture.authenticator().register(options);
  const late = await fixture.fetch(REGISTER, { cookie: holder.cookie, json: { response } });
  assertEquals((await errorOf(late)).error, "too_many_passkeys");
  const names = (await fixture.passkeys(holder.hash)).map(({ name }) => name);
  assertEquals(new Set(names).size, MAX_PASSKEYS);
});

Deno.test("options are limited per client and per record", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const ask = (path: string, from: string) =>
    fixture.fetch(path, { cookie: holder.cookie, json: {}, from });
  for (let i = 0; i < 100; i++) assertEquals(await statusOf(ask(VERIFY, "198.51.100.1")), 200);
  const refused = await ask(VERIFY, "198.51.100.1");
  assertEquals([await statusOf(refused), refused.headers.get("retry-after")], [429, "600"]);
  assertEquals(await statusOf(ask(VERIFY, "198.51.100.2")), 200);
  for (let i = 0; i < 30; i++) assertEquals(await statusOf(ask(REGISTER, `192.0.2.${i}`)), 200);
  assertEquals(await statusOf(ask(REGISTER, "192.0.2.99")), 429);
});

Deno.test("a holder renames and removes passkeys of their own record only", async () => {
  await using fixture = await passkeyFixture();
  const [holder, other] = [await fixture.holder(), await fixture.holder(OTHER_PERSON)];
  await statusOf(fixture.add(holder, fixture.authenticator()));
  const [{ id }] = await fixture.passkeys(holder.hash);
  const send = async (cookie: string, form: Record<string, string>) => {
    fixture.clock.now++; // entries of the access log are ordered by time
    const response = await fixture.fetch("/my-record/passkeys", { cookie, form });
    return [await statusOf(response), response.headers.get("location")];
  };
  assertEquals(await send(other.cookie, { act: "rename", id, name: "Mine" }), [404, null]);
  assertEquals(await send(other.cookie, { act: "remove", id }), [404, null]);
  const renamed = await send(holder.cookie, { act: "rename", id, name: "  My laptop " });
  assertEquals(renamed, [303, "/my-record?passkey=renamed#passkeys"]);
  assertEquals((await fixture.passkeys(holder.hash))[0].name, "My laptop");
  for (const name of ["", "x".repeat(61), "a\u202eb"]) {
    assertEquals((await send(holder.cookie, { act: "rename", id, name }))[0], 400);
  }

  const old = await fixture.signIn([holder.hash], { recent: false });
  assertEquals(await send(old, { act: "remove", id }), [303, "/my-record?again=1"]);
  assertEquals((await fixture.passkeys(holder.hash)).length, 1);
  assertEquals((await send(holder.cookie, { act: "remove", id }))[0], 303);
  assertEquals(await fixture.passkeys(holder.hash), []);
  assertMatch((await fixture.mails())[0].subject, /passkey was removed/);
  const record = await fixture.site.services.records.read(holder.hash);
  assertEquals(record?.row.passkeys, 0);
  const accesses = await fixture.accesses(holder.hash);
  assertEquals(accesses.filter((what) => what !== "signed_in"), [
    "passkey_added",
    "passkey_renamed",
    "passkey_removed",
  ]);
});

Deno.test("malformed bodies are rejected with 400", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  const signIn = await authenticator.signIn(await fixture.options(VERIFY, BROWSER));
  const registration = await authenticator.register(
    await fixture.options(REGISTER, holder.cookie),
  );
  const { response } = signIn;
  const bodies: [string, unknown][] = [
    [VERIFY, []],
    [VERIFY, { response: false }],
    [VERIFY, { response: "text" }],
    [VERIFY, { response: {} }],
    [VERIFY, { response: { ...signIn, id: 7 } }],
    [VERIFY, { response: { ...signIn, id: "a".repeat(2_000) } }],
    [VERIFY, { response: { ...signIn, type: "password" } }],
    [VERIFY, { response: { ...signIn, response: { ...response, signature: "a b" } } }],
    [VERIFY, { response: { ...signIn, response: { ...response, clientDataJSON: "AAAA" } } }],
    [REGISTER, { response: signIn }],
    [REGISTER, {
      response: {
        ...registration,
        response: { ...registration.response, attestationObject: "A".repeat(30_000) },
      },
    }],
  ];
  for (const [path, json] of bodies) {
    const sent = await fixture.fetch(path, { cookie: `${holder.cookie}; ${BROWSER}`, json });
    assertEquals(await statusOf(sent), 400, JSON.stringify(json).slice(0, 80));
  }
  const foreign = { origin: "https://evil.example" };
  const sent = await fixture.fetch(VERIFY, { cookie: BROWSER, json: {}, headers: foreign });
  assertEquals(await statusOf(sent), 403);
});

Deno.test("a passkey without a known provider is named after the browser", async () => {
  await using fixture = await passkeyFixture();
  const { cookie } = await fixture.holder();
  const headers = { "user-agent": CHROME };
  const options = await fixture.options(REGISTER, cookie);
  const response = await fixture.authenticator().register(options);
  const added = await fixture.fetch(REGISTER, { cookie, json: { response }, headers });
  const { passkey } = await added.json();
  assertEquals([passkey.name, passkey.provider], ["Chrome on Linux", null]);
});

Deno.test("no challenge, passkey or limit in the store contains personal data or a challenge", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  const { challenge } = await fixture.options(VERIFY, BROWSER);
  const entries = (await fixture.entries()).filter(({ key }) => key.includes("passkey"));
  assert(entries.length >= 4);
  for (const { key, text } of entries) {
    for (const secret of [challenge, "Ada", "b".repeat(22), "203.0.113"]) {
      assert(!(key + text).includes(secret), `${secret} in ${key}`);
    }
  }
});

/** Uses the link of the latest notice. */
async function useNotice(fixture: PasskeyFixture): Promise<void> {
  const [mail] = await fixture.mails();
  const token = new URL(mail.link!).searchParams.get("token")!;
  assertEquals(await statusOf(fixture.fetch("/my-record/undo", { form: { token } })), 200);
}

Deno.test("the notice of a new passkey removes it, and the notice of a removal ends all sessions", async () => {
  await using fixture = await passkeyFixture();
  const { hash, cookie } = await fixture.holder();
  const { records } = fixture.site.services;
  await statusOf(fixture.add({ hash, cookie }, fixture.authenticator()));
  await useNotice(fixture);
  assertEquals(await fixture.passkeys(hash), []);
  assertEquals((await records.read(hash))?.row.passkeys, 0);

  const again = await fixture.signIn([hash]);
  await statusOf(fixture.add({ hash, cookie: again }, fixture.authenticator()));
  const [{ id }] = await fixture.passkeys(hash);
  const form = { act: "remove", id };
  await statusOf(fixture.fetch("/my-record/passkeys", { cookie: again, form }));
  await useNotice(fixture);
  const ended = fixture.fetch(REGISTER, { cookie: again, json: {} });
  assertEquals((await errorOf(await ended)).error, "unauthenticated");
});

Deno.test("the notice of a passkey that was removed does not remove it from another record, which added it since", async () => {
  await using fixture = await passkeyFixture();
  const [holder, other] = [await fixture.holder(), await fixture.holder(OTHER_PERSON)];
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  const [{ link }] = await fixture.mails();
  const [{ id }] = await fixture.passkeys(holder.hash);
  const form = { act: "remove", id };
  await statusOf(fixture.fetch("/my-record/passkeys", { cookie: holder.cookie, form }));
  assertEquals(await statusOf(fixture.add(other, authenticator)), 201);
  const token = new URL(link!).searchParams.get("token")!;
  await statusOf(fixture.fetch("/my-record/undo", { form: { token } }));
  assertEquals((await fixture.passkeys(other.hash)).length, 1);
});

Deno.test("deleting a record deletes its passkeys", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  await fixture.site.services.records.deletion.deleteRecord(holder.hash);
  assertEquals(await fixture.count("passkey_credentials"), 0);
  assertEquals(await fixture.count("passkey_credentials_by_contact"), 0);
  assertEquals(await statusOf(fixture.enter(authenticator)), 401);
});

Deno.test("the documents for native apps are served if they are configured, otherwise 404", async () => {
  const paths = ["webauthn", "apple-app-site-association", "assetlinks.json"]
    .map((name) => `/.well-known/${name}`);
  await using plain = await passkeyFixture();
  await using fixture = await passkeyFixture({
    PASSKEY_RELATED_ORIGINS: "https://records.example",
    APPLE_APP_IDS: "ABCDE12345.com.example.app",
    ANDROID_APPS: `com.example.app=${"AA:".repeat(31)}AA`,
  });
  for (const path of paths) {
    assertEquals(await statusOf(plain.fetch(path)), 404);
    const response = await fixture.fetch(path);
    assertEquals([await statusOf(response), response.headers.get("content-type")], [
      200,
      "application/json",
    ]);
  }
});

Deno.test("a native app signs in from its own origin, which no other app may use", async () => {
  await using fixture = await passkeyFixture({
    ANDROID_APPS: `com.example.app=${"AA:".repeat(31)}AA`,
  });
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  await statusOf(fixture.add(holder, authenticator));
  const hash = new Uint8Array(32).fill(0xaa).toBase64({ alphabet: "base64url", omitPadding: true });
  const app = { origin: `android:apk-key-hash:${hash}` };
  assertEquals(await statusOf(fixture.enter(authenticator, app)), 200);
  const other = { origin: app.origin.replace("qqqq", "aaaa") };
  assertEquals(await statusOf(fixture.enter(authenticator, other)), 401);
});

Deno.test("without scripts, the pages have forms that rename and remove, and no passkey buttons", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  await statusOf(fixture.add(holder, fixture.authenticator()));
  const html = await (await fixture.fetch("/my-record", { cookie: holder.cookie })).text();
  const forms = html.match(/<form[^>]* action="\/my-record\/passkeys"[^]*?<\/form>/g) ?? [];
  assertEquals(forms.map((form) => /name="act" value="(\w+)"/.exec(form)?.[1]), [
    "rename",
    "remove",
  ]);
  assertMatch(html, /<noscript><p[^>]*>Adding a passkey requires JavaScript\./);
  const page = await (await fixture.fetch("/my-record")).text();
  assertMatch(page, /autocomplete="username webauthn"/);
  assert(!page.includes("Use a passkey"));
});

Deno.test("a passkey opens the corrected record, even before the passkey is moved", async () => {
  await using fixture = await passkeyFixture();
  const { kv, records } = fixture.site.services;
  const [old, next] = [await fixture.holder(), await fixture.holder()];
  const authenticator = fixture.authenticator();
  assertEquals(await statusOf(fixture.add(old, authenticator)), 201);
  const { row } = (await records.read(old.hash))!;
  await kv.set(recordRows.key(old.hash), { ...row, replaced_by: next.hash });
  assertEquals(await statusOf(fixture.enter(authenticator)), 200);
  const signIns = async (hash: string) =>
    (await fixture.accesses(hash)).filter((what) => what === "signed_in").length;
  assertEquals([await signIns(old.hash), await signIns(next.hash)], [1, 2]);
});

Deno.test("signing in with a passkey ends the session that the browser had before", async () => {
  await using fixture = await passkeyFixture();
  const holder = await fixture.holder();
  const authenticator = fixture.authenticator();
  assertEquals(await statusOf(fixture.add(holder, authenticator)), 201);
  const response = await authenticator.signIn(await fixture.options(VERIFY, BROWSER));
  const cookie = `${BROWSER}; ${holder.cookie}`;
  assertEquals(await statusOf(fixture.fetch(VERIFY, { cookie, json: { response } })), 200);
  assertEquals(await fixture.count("record_sessions"), 1);
});

Deno.test("undoing a correction removes a passkey added in the millisecond of the correction, and keeps one added a millisecond earlier", async () => {
  await using fixture = await passkeyFixture();
  const { kv, clock } = fixture.site.services;
  const holder = await fixture.holder();
  const { hash } = holder;
  await statusOf(fixture.add(holder, fixture.authenticator()));
  const [{ created_at }] = await fixture.passkeys(hash);
  const data = passkeyData({ kv, clock });
  for (const [since, left] of [[created_at + 1, 1], [created_at, 0]]) {
    await data.move!(hash, hash, new Date(since).toISOString());
    assertEquals((await fixture.passkeys(hash)).length, left);
  }
});

Deno.test("undoing a correction keeps earlier passkeys, and removes those that were added since", async () => {
  await using fixture = await passkeyFixture();
  const { clock, site: { services: { records } } } = fixture;
  const holder = await fixture.holder();
  const [own, thief] = [fixture.authenticator(), fixture.authenticator()];
  assertEquals(await statusOf(fixture.add(holder, own)), 201);
  clock.now += MINUTE_MS;
  const correction = {
    name: "Someone Else",
    organisation: PERSON.organisation as string,
    email: "ada.q@mail.example.org",
    enquiry_type: PERSON.enquiry_type as string,
    message: "Mine now.",
  };
  const { cookie } = holder;
  const form = correction;
  assertEquals(await statusOf(fixture.fetch("/my-record/correct", { cookie, form })), 303);
  const [mail] = (await fixture.mails()).filter(({ subject }) => subject.includes("correction"));
  const to = (await records.read(holder.hash))!.row.replaced_by!;
  clock.now += MINUTE_MS;
  assertEquals(await statusOf(fixture.add({ hash: to, cookie }, thief)), 201);
  assertEquals((await records.read(to))!.row.passkeys, 2);

  const token = new URL(mail.link!).searchParams.get("token")!;
  const undone = await fixture.fetch("/my-record/undo", { form: { token } });
  assertEquals(undone.status, 200);
  assertEquals((await records.read(holder.hash))!.row.passkeys, 1);
  assertEquals((await fixture.passkeys(holder.hash)).length, 1);
  assertEquals(await statusOf(fixture.enter(thief)), 401);
  assertEquals(await statusOf(fixture.enter(own)), 200);
});
