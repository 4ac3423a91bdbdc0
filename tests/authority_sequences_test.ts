import { assert, assertEquals } from "@std/assert";
import { MINUTE_MS } from "../lib/base/time.ts";
import { enquirySchema } from "../lib/features/contact/mod.ts";
import { recordRows } from "../lib/features/records/mod.ts";
import { operators } from "../lib/features/operators/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { actAs, apart, openKv } from "../lib/platform/kv/mod.ts";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { newEndpointSchema } from "../lib/features/webhooks/mod.ts";
import type { PushProvider } from "../lib/features/push/provider.ts";
import { holdKv } from "../lib/platform/kv/testing/slow_kv.ts";
import { spawnChild } from "../lib/platform/kv/testing/spawn_child.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { documentBody, RECIPIENT } from "./issuer_api_site.ts";
import { authoritySite, type Sender } from "./authority_site.ts";
import { keyFixture } from "./key_site.ts";
import { park } from "./parked_request.ts";

type Service = "bank" | "mail" | "push" | "webhook";

/** Held requests to a service. */
const held: { to: Service | null; begun: PromiseWithResolvers<void>; end: Promise<void> } = {
  to: null,
  begun: Promise.withResolvers(),
  end: Promise.resolve(),
};
/** The commits that check an API key, as the store got them. */
const commits: string[] = [];
/** The messages that were sent to each service. */
const sent: Record<Service, string[]> = { bank: [], mail: [], push: [], webhook: [] };

async function receive(to: Service, body: string): Promise<void> {
  sent[to].push(body);
  if (to !== held.to) return;
  held.begun.resolve();
  await held.end;
}

const phones: PushProvider = {
  async send(_, message) {
    await receive("push", JSON.stringify(message));
    return { ok: true };
  },
};
const server = openHttpsServer(async (req) => {
  await receive("webhook", await req.text());
  return new Response();
});

/** Called before each commit, with the keys that it writes. */
let onCommit: ((keys: readonly Deno.KvKey[]) => Promise<void>) | undefined;

const world = await authoritySite({
  kv: holdKv(await openKv(":memory:"), async ({ name, keys, mutations }) => {
    if (name === "commit") await apart("Somebody else does it.", () => onCommit?.(mutations));
    const key = keys.find(([table]) => table === "api_keys");
    if (name === "commit" && key !== undefined) commits.push(String(key[1]));
  }),
  onRequest: receive,
  pushProviders: { ios: phones, android: phones, web: phones },
  network: server.network,
});
const { site, senders, elsewhere } = world;
const { services } = site;

/** Registers a test that begins outside any request. */
const test = (name: string, run: () => Promise<void>) =>
  Deno.test(name, async () => {
    await actAs(undefined, run);
    assertEquals(world.late, []);
  });

/** Holds the requests to somebody. Returns what resolves when one has begun, and what lets them pass. */
function hold(to: Service) {
  const end = Promise.withResolvers<void>();
  Object.assign(held, { to, begun: Promise.withResolvers<void>(), end: end.promise });
  return {
    begun: () => held.begun.promise,
    pass() {
      held.to = null;
      end.resolve();
    },
  };
}

const post = async (path: string, sender: Sender, body: URLSearchParams | object) =>
  await (await world.park(path, sender, { body })).finish();
const form = (fields: Record<string, string>) => new URLSearchParams(fields);

test("an operator who leaves a console is removed with all sessions, the request's own among them", async () => {
  const operator = await senders.operator();
  await senders.operator(); // another browser
  const response = await post("/console/team", operator, form({ act: "leave", confirm: "yes" }));
  await response.body?.cancel();
  assertEquals(response.status, 303);
  const { user_id } = operator;
  assertEquals(await services.auth.sessionsOf(user_id, operator.surface as never), []);
  const key = operators.key("commercial", "deputy@example.org");
  assertEquals((await services.kv.get(key)).value, null);
});

test("signing out everywhere ends ten sessions, the request's own among them, before the response", async () => {
  const holder = await senders.holder();
  for (let i = 0; i < 9; i++) await world.signIn([holder.hash]);
  const response = await post("/my-record/sign-out", holder, form({ everywhere: "1" }));
  await response.body?.cancel();
  assertEquals([response.status, response.headers.get("location")], [303, "/my-record"]);
  const left = services.kv.list({ prefix: ["record_sessions_by_record", holder.hash] });
  assertEquals((await Array.fromAsync(left)).length, 0);
  assertEquals(await Array.fromAsync(services.kv.list({ prefix: ["record_sign_outs"] })), []);
});

const CORRECTED = {
  name: "Ada King",
  organisation: "Analytical Engines",
  enquiry_type: "Investor",
  message: "A message.",
} as const;
const READER = { network: "192.0.2.0/24", browser: "Firefox on Linux" };

/** Returns a holder who has opened a correction that waits for its address, in the session of the record. */
async function correctingHolder() {
  const holder = await senders.holder();
  const { correction } = services.records;
  const email = `${crypto.randomUUID()}@example.org`;
  const { to } = unwrap(
    await correction.start(holder.hash, enquirySchema.parse({ ...CORRECTED, email }), READER),
  );
  unwrap(await correction.open(await sessionOf(holder), holder.hash));
  return { ...holder, to };
}

const sessionOf = async ({ cookie }: Sender) =>
  (await services.records.session(
    new Request("https://x", { headers: { cookie: cookie! } }),
    "trust",
  ))!;

test("signing out everywhere from a correction that waits ends the sessions of both records", async () => {
  const holder = await correctingHolder();
  await world.signIn([holder.to]); // somebody at the new address
  const response = await post("/my-record/sign-out", holder, form({ everywhere: "1" }));
  await response.body?.cancel();
  assertEquals([response.status, response.headers.get("location")], [303, "/my-record"]);
  for (const hash of [holder.hash, holder.to]) {
    const left = services.kv.list({ prefix: ["record_sessions_by_record", hash] });
    assertEquals((await Array.fromAsync(left)).length, 0);
  }
  assertEquals(await Array.fromAsync(services.kv.list({ prefix: ["record_sign_outs"] })), []);
});

for (const ends of [false, true]) {
  const outcome = ends ? "starts none if its holder signs out meanwhile" : "starts another one";
  test(`a request that withdraws a correction which is open in its session ${outcome}`, async () => {
    const holder = await correctingHolder();
    onCommit = async (mutations) => {
      // The commit of the new correction.
      if (
        !mutations.some(([table, hash]) => table === "record_corrections" && hash === holder.hash)
      ) return;
      if ((await services.records.read(holder.hash))!.row.correction) return; // it still waits
      onCommit = undefined;
      if (ends) await actAs(undefined, holder.ends["signed out everywhere"]);
    };
    const email = `${crypto.randomUUID()}@example.org`;
    const response = await post("/my-record/correct", holder, { ...CORRECTED, email });
    await response.body?.cancel();
    assertEquals(response.status, ends ? 401 : 200);
    const { row } = (await services.records.read(holder.hash))!;
    assertEquals(row.correction === null || row.correction === undefined, ends);
  });
}

test("an operator who ends all sessions on another device ends those of more than one commit", async () => {
  const operator = await senders.operator();
  for (let i = 0; i < 12; i++) await senders.operator();
  const response = await post("/console/team", operator, form({ act: "end_sessions" }));
  await response.body?.cancel();
  assertEquals(response.status, 303);
  const left = await services.auth.sessionsOf(operator.user_id, operator.surface as never);
  assert(left.length <= 1, `${left.length}`);
});

/**
 * Sends a request, and ends its authority while a service receives what it causes.
 *
 * @returns how often the service has received it by ten minutes later
 */
async function deliver(
  to: Service,
  text: string,
  send: () => Promise<Response>,
  end: () => unknown,
) {
  const { begun, pass } = hold(to);
  const response = await send();
  await response.body?.cancel();
  assert(response.status < 400, `${response.status}`);
  await begun();
  await end();
  pass();
  await world.settled();
  world.clock.now += 10 * MINUTE_MS;
  for (const { drain } of [services.mailer, services.push, services.webhooks]) {
    await drain(AbortSignal.timeout(10_000));
  }
  await world.settled();
  return sent[to].filter((body) => body.includes(text)).length;
}

test("a mail whose sender signs out while it is delivered is sent once", async () => {
  const operator = await senders.operator();
  const invited = form({ act: "invite", email: "new@example.org", layer: "L2" });
  const send = () => post("/console/team", operator, invited);
  const end = operator.ends["signed out on another device"];
  assertEquals(await deliver("mail", "new@example.org", send, end), 1);
});

test("a push whose sender signs out while it is delivered is sent once", async () => {
  const holder = await senders.holder();
  const phone = await post("/api/push/register", holder, { platform: "android", token: "a" });
  await phone.body?.cancel();
  const { row } = (await services.records.read(holder.hash))!;
  await services.kv.set(recordRows.key(holder.hash), { ...row, level: 3 });
  const send = () => post("/my-record/key", holder, { act: "show" });
  const end = holder.ends["signed out in this browser"];
  assertEquals(await deliver("push", "Your key has been delivered", send, end), 1);
});

test("a webhook whose sender’s key is revoked while it is delivered is sent once", async () => {
  const sender = await senders.key();
  const owner = { issuer: world.api.issuer.id, mode: "live", key: "another" } as const;
  const url = "https://localhost/events"; // the name in the certificate
  unwrap(await services.webhooks.create(owner, newEndpointSchema.parse({ url })));
  const issue = documentBody({ external_id: "delivered", file: btoa("delivered") });
  const send = () => post("/api/documents", sender, issue);
  assertEquals(await deliver("webhook", "delivered", send, sender.ends["the key was revoked"]), 1);
});

test("50 requests of one key in a minute and the next are all accepted, each with one commit", async () => {
  const { key } = await senders.key();
  commits.length = 0;
  const statuses = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    if (i === 25) world.clock.now += MINUTE_MS;
    const email = `student${i}@example.org`;
    const body = JSON.stringify(
      documentBody({ recipient: { ...RECIPIENT, email }, file: btoa(email) }),
    );
    const headers = {
      "content-type": "application/json",
      "content-length": String(body.length),
    };
    const request = { path: "/api/documents", method: "POST", body, headers };
    const response = await world.api.call(key!, request);
    await response.body?.cancel();
    return response.status;
  }));
  assertEquals(new Set(statuses), new Set([201]));
  // The marker of the upload, its bytes, and the document; and the use of the key in each minute.
  const most = 50 * 3 + 2;
  assert(commits.length <= most, `${commits.length} commits`);
});

test("a page of one operator is shown although the session of another ends during their shared read of the bank", async () => {
  const [first, other] = [await senders.operator(), await senders.operator()];
  const open = ({ cookie, surface }: Sender) =>
    site.request(surface as never, "/api/bank/summary", { headers: { cookie: cookie! } });
  world.clock.now += 24 * 60 * MINUTE_MS; // nothing is cached
  const { begun, pass } = hold("bank");
  const one = open(first);
  await begun();
  const both = open(other);
  const [, value] = first.cookie!.split("=");
  await elsewhere.auth.logout(
    new Request("https://x", { headers: { cookie: `app_session=${value}` } }),
  );
  pass();
  const [a, b] = await Promise.all([one, both]);
  await Promise.all([a.body?.cancel(), b.body?.cancel()]);
  assertEquals(b.status, 200);
});

Deno.test("a key that another process revokes while a body arrives does nothing", async () => {
  await using store = await tempKv();
  await using fixture = await keyFixture({}, { kv: await openKv(store.path) });
  const { key, row } = await fixture.create();
  const child = import.meta.resolve("./authority_child.ts");
  await using other = await spawnChild(child, store.path, fixture.issuer.id, row.id);
  const parked = await park(fixture, "/api/documents", {
    surface: "api",
    body: documentBody(),
    headers: { authorization: `Bearer ${key}` },
  });
  await other.go();
  assertEquals(await other.next(), "revoked");
  const response = await parked.finish();
  await response.body?.cancel();
  assertEquals(response.status, 401);
  const documents = fixture.site.services.kv.list({ prefix: ["documents"] });
  assertEquals(await Array.fromAsync(documents), []);
});
