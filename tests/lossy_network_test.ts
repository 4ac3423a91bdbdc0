import { assert, assertEquals } from "@std/assert";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { HOLD_MS } from "../lib/features/documents/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { commitTable, openKv, rulesOf } from "../lib/platform/kv/mod.ts";
import { losing } from "../lib/platform/kv/testing/connect/network.ts";
import { serveConnect } from "../lib/platform/kv/testing/connect_server.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { until } from "../lib/testing/until.ts";
import { paymentEvent, signStripe } from "../sandbox/payment_events.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { approvedCode, codeForm, postForm, refreshForm, registerClient } from "./oauth_site.ts";
import { recordFixture } from "./record_site.ts";

/** Each does everything once. `deno task test:lossy` sets a larger number. */
const PEOPLE = Number(Deno.env.get("TEST_PEOPLE") ?? 10);
const AT_ONCE = 15;
/** Time passes from person to person, because some limits are per minute. */
const STEP_MS = 500;

const MAIL_API = "http://localhost:1/mail";
const SECRET = `whsec_${btoa("the secret of payments")}`;
const ENV = {
  MAIL_TRANSPORT: "http",
  MAIL_API_URL: MAIL_API,
  MAIL_API_KEY: "key",
  SIGN_IN_CLIENT_LIMIT: "0",
  MCP_RATE_LIMIT: "0",
  COMMERCIAL_PAYMENT_WEBHOOK_SECRET: SECRET,
};

/** The events in a person's chain at the end. */
const KINDS = ["hash_generated", "email_confirmed", "record_verified", "access_requested"];

interface SentMail {
  id: string;
  to: string;
  subject: string;
  text: string;
}

interface Holder {
  hash: string;
  cookie: string;
}

interface Browser {
  cookie?: string;
  /** The client's IP address. */
  from?: string;
}

/** Returns an address for the reader of a record's document, because a network may send only a few requests. */
const addressOf = (hash: string): string =>
  `10.${hash.slice(0, 6).match(/../g)!.map((hex) => parseInt(hex, 16)).join(".")}`;

/** Returns a site on a store, and what one person does on it. */
async function lifeOn(kv: Deno.Kv) {
  const mails: SentMail[] = [];
  const mailApi: typeof fetch = async (_, init) => {
    const request = new Request(MAIL_API, init);
    const id = request.headers.get("idempotency-key")!;
    mails.push({ ...await request.json(), id });
    return new Response();
  };
  const fixture = await recordFixture(ENV, { kv, fetch: mailApi });
  const { site, clock } = fixture;
  const { services } = site;
  const client = await registerClient(site);

  /** Waits for a mail to an address with a link to a path, and returns the link's token or code. */
  function tokenOf(to: string, path: string): Promise<string> {
    const link = new RegExp(`https?://[^/\\s]+${path}(?:\\?\\S*\\btoken=|#)([\\w-]+)`);
    return until(async () => {
      await services.mailer.flush();
      const sent = mails.filter((mail) => mail.to === to);
      return sent.map(({ text }) => link.exec(text)?.[1]).find((token) => token !== undefined);
    }, `${to} has a link to ${path}`);
  }

  async function post(path: string, form: Record<string, string>, { cookie, from }: Browser = {}) {
    const response = await fixture.fetch(path, { form, cookie, from });
    await response.body?.cancel();
    if (response.status >= 400) throw new Error(`${path}: ${response.status}`);
    return response.headers.get("set-cookie")?.split(";")[0];
  }

  async function confirmed(email: string): Promise<Holder> {
    const hash = await fixture.register({ ...PERSON, email });
    const cookie = await post("/confirm", { token: await tokenOf(email, "/confirm") });
    return { hash, cookie: cookie! };
  }

  /** Adds a document, and approves a request to read it. The decision is mailed after a while. */
  async function approve({ hash, cookie }: Holder, email: string) {
    const { document } = unwrap(await services.documents.add(newDocument(hash), bodyOf(email)));
    const from = addressOf(hash);
    const reader = { name: "A reader", email, reason: "To read it." };
    await post(`/d/${document.id}/request`, reader, { from });
    await post("/d/request", { token: await tokenOf(email, "/d/request") });
    const [{ id }] = await services.access.list(hash);
    await post("/my-record/requests", { act: "approve", id }, { cookie });
  }

  async function exchange(record: string) {
    const code = await approvedCode(site, client, { record });
    const first = await (await postForm(site, "/token", codeForm(client, code))).json();
    const form = refreshForm(client, first.refresh_token);
    assertEquals(await statusOf(postForm(site, "/token", form)), 200);
  }

  async function pay(payment: string, record: string) {
    const created = Math.floor(clock.now / 1_000);
    const event = paymentEvent({ id: `evt_${payment}`, payment, record, created });
    const { body, headers } = signStripe(JSON.stringify(event), SECRET, created);
    const init = { method: "POST", body, headers };
    const path = "/api/payments/webhook";
    assertEquals(await statusOf(site.request("commercial-console", path, init)), 200);
  }

  async function signIn(email: string) {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ email }) };
    assertEquals(await statusOf(site.request("site", "/api/auth/request", init)), 200);
    const path = `/auth/verify?token=${await tokenOf(email, "/auth/verify")}`;
    const response = await site.request("site", path);
    assertEquals(response.headers.get("location"), "/account");
  }

  return {
    kv: services.kv,
    mails,
    /** Lets people do everything, some at the same time. Returns their hashes. */
    async run(people: number): Promise<string[]> {
      const hashes = await each(people, async (i) => {
        clock.now += STEP_MS;
        const holder = await confirmed(`holder-${i}@example.org`);
        await services.chains.append(holder.hash, "record_verified");
        await approve(holder, `reader-${i}@example.org`);
        return holder.hash;
      });
      clock.now += HOLD_MS;
      await services.mailer.drain();
      await each(people, async (i) => {
        clock.now += STEP_MS;
        const code = await tokenOf(`reader-${i}@example.org`, "/s");
        await post("/s", { act: "open", code }, { from: addressOf(hashes[i]) });
        await exchange(hashes[i]);
        await pay(`pi_${i}`, hashes[i]);
        await signIn(`visitor-${i}@example.org`);
      });
      await until(async () => {
        await services.mailer.drain();
        return (await Array.fromAsync(kv.list({ prefix: ["outbox"] }, { limit: 1 }))).length === 0;
      }, "all mails are sent");
      return hashes;
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Runs something for each number below `count`, for some at the same time. */
async function each<Result>(count: number, run: (i: number) => Promise<Result>) {
  const results: Result[] = [];
  let next = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (next < count) {
      const i = next++;
      // The runner ends tests that print nothing for minutes.
      if (i > 0 && i % 100 === 0) console.log(`${i} of ${count}`);
      results[i] = await run(i);
    }
  }));
  return results;
}

/** Hashes and dates, which are not the same in two runs. */
const CHANGING = /^([0-9a-f]{64}|\d{4}(-\d\d)+)$/;

/** The ids of commits over a network, and rows whose keys depend on hashes. */
const DIFFERENT: Deno.KvKeyPart[] = [commitTable.prefix, "changes"];

/** Returns how many rows each table has, and the values of counters. */
async function inventory(kv: Deno.Kv): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const [table] = key;
    if (DIFFERENT.includes(table)) continue;
    const isCounter = value instanceof Deno.KvU64;
    const name = isCounter
      ? key.map((part) => CHANGING.test(String(part)) ? "*" : part).join(" ")
      : String(table);
    found[name] = (found[name] ?? 0) + (isCounter ? Number(value.value) : 1);
  }
  return found;
}

/** Lets people do everything on a store whose network loses a share of the responses to commits. */
async function liveOn(share: number) {
  // Expired rows are not deleted, because the two runs take different times.
  await using server = serveConnect({ sweeps: false, drops: share > 0, ...losing(share) });
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  const kv = await openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  // A lost connection delays all calls that are on their way.
  Object.assign(rulesOf(kv).deadlines, { callMs: MINUTE_MS, requestMs: MINUTE_MS });
  await using life = await lifeOn(kv);
  const hashes = await life.run(PEOPLE);
  const kinds = await Promise.all(hashes.map((hash) => kindsOf(life.kv, hash)));
  const mails = life.mails.map(({ to, subject }) => `${to} ${subject}`).sort();
  const ids = new Set(life.mails.map(({ id }) => id)).size;
  return { kinds, mails, ids, rows: await inventory(life.kv), lost: server.faults };
}

/** Returns the events of a chain, by their numbers. */
const kindsOf = async (kv: Deno.Kv, hash: string) =>
  Object.fromEntries(
    await Array.fromAsync(
      kv.list<{ kind: string }>({ prefix: ["chain_events", hash] }),
      ({ key, value }) => [Number(key[2]), value.kind],
    ),
  );

Deno.test(`everything that ${PEOPLE} people do takes effect once, although 15 % of the responses of the store are lost`, async () => {
  const { lost, ...found } = await liveOn(0.15);
  assert(lost > PEOPLE, `only ${lost} responses were lost`);
  for (const kinds of found.kinds) assertEquals(kinds, { ...KINDS });
  assertEquals(found.ids, found.mails.length);
  const { lost: none, ...expected } = await liveOn(0);
  assertEquals(none, 0);
  assertEquals(found, expected);
});
