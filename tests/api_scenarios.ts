/** A request for each response that the API documentation promises. */
import { API_KEY, exampleRequest, OPERATIONS, SESSION } from "../lib/features/api/mod.ts";
import { EVENTS, HASH, HEAD } from "../lib/features/api/examples.ts";
import { FakeTimer } from "../lib/platform/http/testing/streams.ts";
import { TOKEN_REQUESTS_PER_MINUTE } from "../lib/features/oauth/mod.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { fakeProvider, NUMBER, wrongCode } from "./codes_site.ts";
import { CHALLENGE_ENV, PERSON } from "./contact_site.ts";
import type { Operation } from "../lib/features/api/mod.ts";
import { SCOPES } from "../lib/features/issuers/mod.ts";
import { addIssuer } from "./key_site.ts";
import { connectPush, registerClient, removeScopes } from "./oauth_site.ts";
import { issuingScenarios } from "./issuing_scenarios.ts";
import { BROWSER, passkeyFixture, REGISTER, VERIFY } from "./passkey_site.ts";
import { batchScenarios } from "./batch_scenarios.ts";
import { NOWHERE, webhookScenarios } from "./webhook_scenarios.ts";

type Scenario = () => Promise<Response>;

/** Options of the request of a scenario. */
interface Changes {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  cookie?: string;
  /** Instead of a test key of an issuer with all scopes. */
  key?: string;
  from?: string;
}

const APPS = {
  PASSKEY_RELATED_ORIGINS: "https://records.example",
  APPLE_APP_IDS: "ABCDE12345.example.records",
  ANDROID_APPS: `example.records=${Array(32).fill("AB").join(":")}`,
};

/**
 * Creates the sites on which each documented response occurs: one that has everything, one where
 * everything is off or at its limit, and one with a bot challenge that nobody passes.
 */
export async function apiScenarios() {
  const service = fakePush();
  const provider = fakeProvider();
  const timer = new FakeTimer();
  const full = await passkeyFixture({
    SIGN_IN_CLIENT_LIMIT: "0",
    STREAM_CLIENT_LIMIT: "1",
    ...APPS,
  }, {
    issuePdf: null,
    pushProviders: { ios: service, android: service, web: service },
    codeProvider: provider,
    schedule: timer.schedule,
    network: NOWHERE,
  });
  const bare = await passkeyFixture({
    SIGN_IN_CLIENT_LIMIT: "1",
    CONTACT_CLIENT_LIMIT: "1",
    STREAM_CLIENT_LIMIT: "0",
    CODE_PROVIDER: "off",
    API_KEY_RATE_LIMIT: "1",
  }, { pushProviders: {}, network: NOWHERE });
  const challenged = await passkeyFixture(CHALLENGE_ENV, {
    fetch: () => Promise.resolve(Response.json({ success: false })),
  });
  type Fixture = typeof full;
  await storeExampleChain(full.site.services.kv);
  const issuer = await addIssuer(full.site);
  const apiKey = await issuer.key("test");

  /** Sends the request of an operation's example, with changes. */
  async function call(
    id: string,
    changes: Changes = {},
    on: { site: Fixture["site"] } = full,
  ): Promise<Response> {
    const operation = OPERATIONS.find((each) => each.id === id)!;
    const { site } = on;
    const [surface] = operation.surfaces;
    const base = site.services.surfaces.get(surface)!.baseUrl;
    const { body, ...values } = changes;
    const request = exampleRequest(operation, base, values);
    const { cookie } = changes;
    const headers = new Headers({ accept: "*/*", ...request.headers, ...changes.headers });
    headers.set("host", new URL(base).host);
    if (cookie !== undefined) headers.set("cookie", cookie);
    else if (headers.get("cookie")?.includes(SESSION)) headers.delete("cookie");
    if (headers.get("authorization")?.includes(API_KEY)) {
      headers.set("authorization", `Bearer ${changes.key ?? apiKey}`);
    }
    const text = body === undefined
      ? request.body
      : typeof body === "string"
      ? body
      : JSON.stringify(body);
    const remoteAddr = {
      transport: "tcp",
      hostname: changes.from ?? "203.0.113.7",
      port: 1,
    } as const;
    const { method, url } = request;
    const response = await site.handler(new Request(url, { method, headers, body: text }), {
      remoteAddr,
      completed: Promise.resolve(),
    });
    await site.services.codes.flush();
    return response;
  }

  /** Repeats a request until it is refused. */
  async function exhaust(count: number, send: () => Promise<Response>): Promise<Response> {
    for (let i = 0; i < count; i++) await (await send()).body?.cancel();
    return await send();
  }

  const holder = await full.holder();
  const withCookie = { cookie: holder.cookie };
  const bareHash = await bare.register({ ...PERSON, email: "bare@example.org" });
  const bareHolder = { cookie: await bare.signIn([bareHash]) };
  const old = { cookie: await full.signIn([holder.hash], { recent: false }) };
  const byCode = { cookie: await full.signIn([holder.hash], { method: "code" }) };
  const closedHolder = await full.holder({ ...PERSON, email: "closed@example.org" });
  const closed = { cookie: closedHolder.cookie };
  await full.site.services.kv.set(
    ["records", closedHolder.hash],
    {
      ...(await full.site.services.records.read(closedHolder.hash))!.row,
      deletion_at: new Date(full.clock.now + 1e9).toISOString(),
    },
  );

  const corrected = await full.holder({ ...PERSON, email: "corrected@example.org" });
  const waitingHash = "e".repeat(64);
  const waiting = { cookie: corrected.cookie };
  const { records, kv } = full.site.services;
  const { row: correctedRow, contact } = (await records.read(corrected.hash))!;
  const correction = { to: waitingHash, at: new Date(full.clock.now).toISOString() };
  await kv.set(["records", corrected.hash], { ...correctedRow, correction });
  await kv.set(["contacts", waitingHash], contact.value);
  await kv.set(["records", waitingHash], { ...correctedRow, replaces: corrected.hash });
  await records.correction.open(
    (await records.session(
      new Request("http://trust.localhost/", { headers: { cookie: corrected.cookie } }),
      "trust",
    ))!,
    corrected.hash,
  );

  const etagOf = async (send: () => Promise<Response>) => {
    const response = await send();
    await response.body?.cancel();
    return { "if-none-match": response.headers.get("etag")! };
  };
  const notModified = (id: string, changes: Changes = {}) => async () =>
    await call(id, { ...changes, headers: await etagOf(() => call(id, changes)) });

  async function tooManyStreams(id: string, changes: Changes) {
    const headers = { accept: "text/event-stream" };
    const open = () => call(id, { ...changes, headers, from: "203.0.113.99" });
    const first = await open();
    const refused = await open();
    await first.body!.cancel();
    return refused;
  }

  const confirm = { method: "sms", purpose: "confirm_number" };
  const sendCode = (mobile: string) => call("sendCode", { body: { method: "sms", mobile } });

  /** Asks for a code for the holder's number, and returns the cookies of the browser that gets it. */
  async function askForCode(cookie: string): Promise<string> {
    full.clock.now += 61_000;
    const response = await call("sendCode", { body: confirm, cookie });
    if (!response.ok) throw new Error(await response.text());
    return `${cookie}; ${response.headers.get("set-cookie")!.split(";")[0]}`;
  }

  async function numberHolder(mobile: string) {
    const person = {
      ...PERSON,
      email: `n${mobile}@example.org`,
      mobile: { country: "AU", number: mobile },
    };
    const hash = await full.register(person);
    return { hash, cookie: await full.signIn([hash]) };
  }

  async function addPasskey(changes: Changes & { cookie: string }) {
    const authenticator = full.authenticator();
    const options = await full.options(REGISTER, changes.cookie);
    const response = await authenticator.register(options);
    return {
      authenticator,
      response: await call("addPasskey", { ...changes, body: { response } }),
    };
  }
  async function assertion(deviation = {}) {
    const { authenticator, response } = await addPasskey(withCookie);
    await response.body?.cancel();
    return await authenticator.signIn(await full.options(VERIFY, BROWSER), deviation);
  }

  let tokens = 0;
  const token = () => ({ platform: "android", token: `token-${tokens++}` });
  async function tooManyDevices(id: string) {
    const { cookie } = await full.holder({ ...PERSON, email: `d${tokens++}@example.org` });
    for (let i = 0; i < 10; i++) {
      const response = await call("registerDevice", { cookie, body: token() });
      if (!response.ok) throw new Error(await response.text());
    }
    return await call(id, { cookie });
  }
  const large = JSON.stringify({ platform: "android", token: "x".repeat(9_000) });
  const pushErrors = (id: string) => ({
    [`${id} 400 invalid_request`]: () => call(id, { ...withCookie, body: {} }),
    [`${id} 401 unauthenticated`]: () => call(id),
    [`${id} 403 record_closed`]: () => call(id, closed),
    [`${id} 403 not_in_force`]: () => call(id, waiting),
    [`${id} 413 too_large`]: () => call(id, { ...withCookie, body: large }),
  });
  const bearer = (access_token: string) => ({
    headers: { authorization: `Bearer ${access_token}` },
  });
  /** The errors of operations that accept the token of an app. */
  const appErrors = (id: string) => ({
    [`${id} 401 invalid_token`]: () => call(id, { ...withCookie, ...bearer("unknown") }),
    [`${id} 403 insufficient_scope`]: async () => {
      const client = await registerClient(full.site);
      const { access_token } = await connectPush(full.site, client, holder.hash);
      await removeScopes(full.site, access_token);
      return await call(id, bearer(access_token));
    },
    [`${id} 429 rate_limited`]: async () => {
      const from = `198.51.100.${tokens++}`;
      const { tokens: service } = full.site.services;
      for (let i = 0; i < TOKEN_REQUESTS_PER_MINUTE; i++) await service.check("", "", from);
      return await call(id, { ...bearer("unknown"), from });
    },
  });
  /** The responses that all operations for issuers have. */
  const keyErrors = ({ id, keyScope, method }: Operation): typeof scenarios => {
    const inState = (state: "suspended" | "ended") => async () => {
      const other = await addIssuer(full.site, `${id} ${state}`);
      const key = await other.key();
      await other.setState(state);
      return await call(id, { key });
    };
    const others = SCOPES.filter((scope) => scope !== keyScope);
    return {
      [`${id} 401 unauthenticated`]: () => call(id, { key: "unknown", from: "198.51.100.200" }),
      [`${id} 403 issuer_ended`]: inState("ended"),
      ...method !== "get" && { [`${id} 403 issuer_suspended`]: inState("suspended") },
      ...keyScope !== "any" && {
        [`${id} 403 insufficient_scope`]: async () => {
          const other = await addIssuer(full.site, `${id} scope`);
          return await call(id, { key: (await other.create({ scopes: others })).key });
        },
      },
      [`${id} 429 rate_limited`]: async () => {
        const key = await (await addIssuer(bare.site, id)).key();
        return await exhaust(1, () => call(id, { key }, bare));
      },
    };
  };
  const registration = (id: string, removal: string) => ({
    ...pushErrors(id),
    [`${id} 409 too_many_devices`]: () => tooManyDevices(id),
    [`${id} 503 unavailable`]: () => call(id, bareHolder, bare),
    [`${id} 200`]: () => exhaust(1, () => call(id, withCookie)),
    [`${id} 201`]: async () => {
      await (await call(removal, withCookie)).body?.cancel();
      return await call(id, withCookie);
    },
  });
  const unknown = { params: { hash: "f".repeat(64) } };
  /** Issues the key of a record at level 3. */
  async function issueKey(email: string): Promise<string> {
    const { hash, cookie } = await full.holder({ ...PERSON, email });
    const { records } = full.site.services;
    const reader = { network: "203.0.113.0/24", browser: "Firefox" };
    await records.declare(hash, "I show this record to clients.", reader);
    await (await addPasskey({ cookie })).response.body?.cancel();
    const issued = await records.keys.issue({ hash, reader });
    if (!issued.ok) throw new Error(issued.error);
    return issued.key;
  }

  /** Adds two versions of a document that anyone may see, and returns the hash of one of them. */
  async function addDocument(version: "replaced" | "current"): Promise<string> {
    const { documents, issuers, issuerDomains } = full.site.services;
    const by = "admin@example.org";
    const name = `College of ${version} documents`;
    const college = await issuers.add({ organisation: "commercial", name, by });
    if (!college.ok) throw new Error(college.error);
    const change = { organisation: "commercial", id: college.issuer.id, by } as const;
    await issuerDomains.set({ ...change, domain: `${version}.example` });
    await issuerDomains.check(change);
    const bodies = [1, 2].map(() => crypto.getRandomValues(new Uint8Array(3_000)));
    const document = {
      record: holder.hash,
      organisation: "commercial",
      issuer: college.issuer.id,
      title: "Certificate",
      kind: "Certificate",
      public: true,
      guessable: false,
      file_name: "certificate.bin",
      by,
    } as const;
    const added = await documents.add(document, new Blob([bodies[0]]).stream());
    if (!added.ok) throw new Error(added.error);
    const { id } = added.document;
    const next = { file_name: "certificate.bin", by };
    await documents.addVersion(id, next, new Blob([bodies[1]]).stream());
    await documents.edit(id, { guessable: false }, by);
    const digest = await crypto.subtle.digest("SHA-256", bodies[version === "current" ? 1 : 0]);
    return new Uint8Array(digest).toHex();
  }

  async function revokedKey(): Promise<string> {
    const key = await issueKey("revoked@example.org");
    const { keys } = full.site.services.records;
    const state = await keys.state(key);
    if (state.state !== "current") throw new Error(state.state);
    const reader = { network: "203.0.113.0/24", browser: "Firefox" };
    const { current } = await keys.read(state.hash);
    await keys.revoke({ hash: state.hash, reader, id: current!.id });
    return key;
  }

  async function stream(id: string, changes: Changes) {
    const headers = { accept: "text/event-stream" };
    return await call(id, { ...changes, query: {}, headers, from: "203.0.113.98" });
  }

  /** The first scenario of each success is the request of the example, as far as it can be repeated. */
  const scenarios: Record<string, Scenario | Scenario[]> = {
    ...Object.assign(
      {},
      ...OPERATIONS.filter(({ keyScope }) => keyScope !== undefined).map(keyErrors),
    ),
    "readIssuer 200": () => call("readIssuer"),
    "revokeKey 200": [
      () => call("revokeKey"),
      async () => call("revokeKey", { body: [{ token: await issuer.key("test") }] }),
    ],
    "revokeKey 400 invalid_request": () => call("revokeKey", { body: { key: "gh_live_x" } }),
    "revokeKey 429 rate_limited": async () => {
      const body = Array(100).fill({ token: "x" });
      await (await call("revokeKey", { body, from: "198.51.100.77" })).body?.cancel();
      return await call("revokeKey", { body, from: "198.51.100.77" });
    },
    ...webhookScenarios({ site: full.site, issuer: issuer.issuer, call }),
    ...batchScenarios({
      site: full.site,
      withoutStreams: bare.site,
      issuer: issuer.issuer,
      newKey: async () => await (await addIssuer(full.site, "Batches")).key("test"),
      call,
    }),
    ...issuingScenarios({
      fixture: full,
      issuer: issuer.issuer,
      liveKey: await issuer.key(),
      call,
    }),
    "registerRecord 201": () => call("registerRecord"),
    "registerRecord 400 invalid_request": () => call("registerRecord", { body: {} }),
    "registerRecord 400 too_fast": () =>
      call("registerRecord", { body: { ...PERSON, elapsed_ms: 1 } }),
    "registerRecord 400 challenge_failed": () => call("registerRecord", {}, challenged),
    "registerRecord 403 forbidden": () =>
      call("registerRecord", { headers: { origin: "https://other.example" } }),
    "registerRecord 409 idempotency_mismatch": async () => {
      const headers = { "idempotency-key": "once" };
      await (await call("registerRecord", { headers })).body?.cancel();
      return await call("registerRecord", { headers, body: PERSON });
    },
    "registerRecord 429 rate_limited": async () => {
      const send = (i: number) =>
        call(
          "registerRecord",
          { headers: { "idempotency-key": `k${i}` }, from: "198.51.100.9" },
          bare,
        );
      await (await send(1)).body?.cancel();
      return await send(2);
    },
    "readChain 200": [() => call("readChain"), () => stream("readChain", {})],
    "readChain 204": () =>
      call("readChain", {
        query: {},
        headers: { accept: "text/event-stream" },
        params: { hash: bareHash },
      }, bare),
    "readChain 304": notModified("readChain"),
    "readChain 400 invalid_request": () => call("readChain", { query: { limit: "0" } }),
    "readChain 404 not_found": () => call("readChain", unknown),
    "readChain 409 chain_rewritten": () => call("readChain", { query: { after: "99" } }),
    "readChain 429 rate_limited": () => tooManyStreams("readChain", { query: {} }),
    "readChainLog 200": () => call("readChainLog"),
    "readChainLog 304": notModified("readChainLog"),
    "readChainLog 400 invalid_request": () => call("readChainLog", { query: { limit: "0" } }),
    "readChainLog 404 not_found": () => call("readChainLog", unknown),
    "locateChain 200": () => call("locateChain"),
    "locateChain 400 invalid_request": () => call("locateChain", { query: { hash: "x" } }),
    "locateChain 404 not_found": () => call("locateChain", { query: unknown.params }),
    "listChainKeys 200": () => call("listChainKeys"),
    "checkDocument 200": [
      async () => call("checkDocument", { query: { sha256: await addDocument("current") } }),
      async () => call("checkDocument", { query: { sha256: await addDocument("replaced") } }),
      () => call("checkDocument"),
    ],
    "checkDocument 304": notModified("checkDocument"),
    "checkDocument 400 invalid_request": () => call("checkDocument", { query: { sha256: "x" } }),
    "checkDocument 429 rate_limited": () =>
      exhaust(61, () => call("checkDocument", { from: "198.51.100.1" })),
    "checkKey 200": [
      async () => call("checkKey", { body: { key: await issueKey("key@example.org") } }),
      async () => call("checkKey", { body: { key: await revokedKey() } }),
    ],
    "checkKey 400 invalid_request": () => call("checkKey", { body: { key: "x" } }),
    "checkKey 404 not_found": () => call("checkKey"),
    "checkKey 429 rate_limited": () =>
      exhaust(61, () => call("checkKey", { from: "198.51.100.1" })),
    "searchQualifications 200": [
      () => call("searchQualifications"),
      () => call("searchQualifications", { query: { q: "care" } }),
    ],
    "searchQualifications 400 invalid_request": () =>
      call("searchQualifications", { query: { level: "9" } }),
    "signInWithPasskey 200": [
      () => call("signInWithPasskey"),
      async () =>
        call("signInWithPasskey", { cookie: BROWSER, body: { response: await assertion() } }),
    ],
    "signInWithPasskey 400 invalid_request": () =>
      call("signInWithPasskey", { body: { response: {} } }),
    "signInWithPasskey 400 passkey_expired": async () =>
      call("signInWithPasskey", { body: { response: await assertion() } }),
    "signInWithPasskey 401 passkey_refused": async () =>
      call("signInWithPasskey", {
        cookie: BROWSER,
        body: { response: await assertion({ userVerified: false }) },
      }),
    "signInWithPasskey 429 rate_limited": () =>
      exhaust(100, () => call("signInWithPasskey", { from: "198.51.100.2" })),
    "addPasskey 200": () => call("addPasskey", withCookie),
    "addPasskey 201": async () => (await addPasskey(withCookie)).response,
    "addPasskey 400 invalid_request": () =>
      call("addPasskey", { ...withCookie, body: { response: {} } }),
    "addPasskey 400 passkey_expired": async () => {
      const response = await full.authenticator().register(
        await full.options(REGISTER, holder.cookie),
        { challenge: "AAAA" },
      );
      return await call("addPasskey", { ...withCookie, body: { response } });
    },
    "addPasskey 401 unauthenticated": () => call("addPasskey"),
    "addPasskey 401 passkey_refused": async () => {
      const response = await full.authenticator().register(
        await full.options(REGISTER, holder.cookie),
        { userVerified: false },
      );
      return await call("addPasskey", { ...withCookie, body: { response } });
    },
    "addPasskey 403 sign_in_again": () => call("addPasskey", old),
    "addPasskey 403 record_closed": () => call("addPasskey", closed),
    "addPasskey 403 not_in_force": () => call("addPasskey", waiting),
    "addPasskey 409 too_many_passkeys": async () => {
      const { hash, cookie } = await full.holder({ ...PERSON, email: "p@example.org" });
      const { row } = (await full.site.services.records.read(hash))!;
      await full.site.services.kv.set(["records", hash], { ...row, passkeys: 20 });
      return await call("addPasskey", { cookie });
    },
    "addPasskey 429 rate_limited": async () => {
      const { cookie } = await full.holder({ ...PERSON, email: "q@example.org" });
      return await exhaust(30, () => call("addPasskey", { cookie }));
    },
    "sendCode 200": () => sendCode(NUMBER),
    "sendCode 400 invalid_request": () => call("sendCode", { body: {} }),
    "sendCode 400 country_not_supported": () => sendCode("+447911123456"),
    "sendCode 400 number_not_supported": () => sendCode("+611900123456"),
    "sendCode 400 invalid_number": () => sendCode("+6149157"),
    "sendCode 401 unauthenticated": () => call("sendCode", { body: confirm }),
    "sendCode 403 forbidden": () => call("sendCode", { ...byCode, body: confirm }),
    "sendCode 403 sign_in_again": () => call("sendCode", { ...old, body: confirm }),
    "sendCode 403 record_closed": () => call("sendCode", { ...closed, body: confirm }),
    "sendCode 404 not_found": async () => {
      const { mobile: _, ...person } = { ...PERSON, email: "without@example.org" };
      return await call("sendCode", {
        cookie: await full.signIn([await full.register(person)]),
        body: confirm,
      });
    },
    "sendCode 409 conflict": async () => {
      const { hash, cookie } = await numberHolder("0491570157");
      const { row } = (await full.site.services.records.read(hash))!;
      await full.site.services.kv.set(["records", hash], {
        ...row,
        mobile_confirmed_at: new Date().toISOString(),
      });
      return await call("sendCode", { cookie, body: confirm });
    },
    "sendCode 429 rate_limited": () => exhaust(1, () => sendCode("+61491570158")),
    "sendCode 503 unavailable": () => call("sendCode", {}, bare),
    "verifyCode 200": async () => {
      const { cookie } = await numberHolder("0491570006");
      const both = await askForCode(cookie);
      return await call("verifyCode", {
        cookie: both,
        body: { code: provider.code(NUMBER), purpose: "confirm_number" },
      });
    },
    "verifyCode 400 invalid_request": () => call("verifyCode", { body: {} }),
    "verifyCode 400 wrong_code": async () => {
      const { cookie } = await numberHolder("0491570006");
      const both = await askForCode(cookie);
      const code = wrongCode(provider.code(NUMBER));
      return await call("verifyCode", { cookie: both, body: { code, purpose: "confirm_number" } });
    },
    "verifyCode 400 code_expired": () => call("verifyCode"),
    "verifyCode 401 unauthenticated": () =>
      call("verifyCode", { body: { code: "1", purpose: "confirm_number" } }),
    "verifyCode 403 sign_in_again": () =>
      call("verifyCode", { ...old, body: { code: "1", purpose: "confirm_number" } }),
    "verifyCode 403 record_closed": () =>
      call("verifyCode", { ...closed, body: { code: "1", purpose: "confirm_number" } }),
    "verifyCode 429 rate_limited": () => exhaust(30, () => call("verifyCode", {}, bare)),
    "requestLink 200": () => call("requestLink"),
    "requestLink 400 invalid_request": () => call("requestLink", { body: { email: "x" } }),
    "requestLink 429 rate_limited": () => exhaust(1, () => call("requestLink", {}, bare)),
    "signOut 303": () => call("signOut"),
    "signOut 400 invalid_request": () => call("signOut", { body: { everywhere: true } }),
    "readAccessLog 200": [
      () => call("readAccessLog", withCookie),
      () => call("readAccessLog", { ...withCookie, query: { limit: "100" } }),
      () => stream("readAccessLog", withCookie),
    ],
    "readAccessLog 204": () =>
      call(
        "readAccessLog",
        { ...bareHolder, query: {}, headers: { accept: "text/event-stream" } },
        bare,
      ),
    "readAccessLog 304": notModified("readAccessLog", withCookie),
    "readAccessLog 400 invalid_request": () =>
      call("readAccessLog", { ...withCookie, query: { limit: "0" } }),
    "readAccessLog 401 unauthenticated": () => call("readAccessLog"),
    "readAccessLog 403 record_closed": () => call("readAccessLog", closed),
    "readAccessLog 403 not_in_force": () => call("readAccessLog", waiting),
    "readAccessLog 409 log_rewritten": () =>
      call("readAccessLog", {
        ...withCookie,
        query: { after: `9999-01-01T00:00:00.000Z~${crypto.randomUUID()}` },
      }),
    "readAccessLog 429 rate_limited": () =>
      tooManyStreams("readAccessLog", { ...withCookie, query: {} }),
    ...registration("registerDevice", "removeDevice"),
    ...registration("subscribeBrowser", "unsubscribeBrowser"),
    ...pushErrors("removeDevice"),
    ...appErrors("registerDevice"),
    ...appErrors("removeDevice"),
    ...pushErrors("unsubscribeBrowser"),
    "removeDevice 200": () => call("removeDevice", withCookie),
    "unsubscribeBrowser 200": () => call("unsubscribeBrowser", withCookie),
    "readServerDescriptor 200": () => call("readServerDescriptor"),
    "readServerDescriptor 304": notModified("readServerDescriptor"),
    "readServerCard 200": () => call("readServerCard"),
    "readServerCard 304": notModified("readServerCard"),
    "readRelatedOrigins 200": () => call("readRelatedOrigins"),
    "readAppleApps 200": () => call("readAppleApps"),
    "readAndroidApps 200": () => call("readAndroidApps"),
    "readRelatedOrigins 404 not_found": () => call("readRelatedOrigins", {}, bare),
    "readAppleApps 404 not_found": () => call("readAppleApps", {}, bare),
    "readAndroidApps 404 not_found": () => call("readAndroidApps", {}, bare),
    "readOpenApi 200": () => call("readOpenApi"),
    "readOpenApi 304": notModified("readOpenApi"),
  };
  return {
    site: full.site,
    scenarios: { ...badRequests(call, withCookie), ...scenarios },
    call,
    holder,
    async [Symbol.asyncDispose]() {
      for (const fixture of [full, bare, challenged]) await fixture[Symbol.asyncDispose]();
    },
  };
}

/** Returns the scenarios of bodies of the wrong type, and of malformed idempotency keys. */
function badRequests(
  call: (id: string, changes: Changes) => Promise<Response>,
  withCookie: Changes,
): Record<string, Scenario> {
  const send = ({ id, holder }: Operation, headers: Record<string, string>) => () =>
    call(id, { ...holder && withCookie, headers });
  const wrongType = OPERATIONS.filter(({ errors }) => 415 in errors).map((operation) =>
    [
      `${operation.id} 415 unsupported_media_type`,
      send(operation, { "content-type": "application/xml" }),
    ] as const
  );
  const badKey = OPERATIONS.filter(({ requestHeaders = [] }) =>
    requestHeaders.includes("Idempotency-Key")
  ).map((operation) =>
    [
      `${operation.id} 400 invalid_request`,
      send(operation, { "idempotency-key": "a key" }),
    ] as const
  );
  return Object.fromEntries([...wrongType, ...badKey]);
}

async function storeExampleChain(kv: Deno.Kv): Promise<void> {
  await kv.set(["chains", HASH], HEAD);
  await kv.set(["log_chains", HASH], { salt: new Uint8Array(32) });
  for (const event of EVENTS) await kv.set(["chain_events", HASH, event.seq], event);
}
