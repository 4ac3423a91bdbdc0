/**
 * Three processes of the built site on one store. Run it with `deno task test:processes`: it takes a
 * few minutes, because mails of killed processes are sent when their claims expire.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createCheckJob } from "../../lib/features/chain/mod.ts";
import type { KeySet } from "../../packages/proof/mod.ts";
import { valuesOf } from "../../lib/platform/kv/testing/temp_kv.ts";
import { PERSON } from "../contact_site.ts";
import { type Cluster, ON_DENOKV, startCluster } from "./cluster.ts";
import { addressOf, createJourneys, newTally, type Tally } from "./journeys.ts";

const KILLS = Number(Deno.env.get("PROCESS_KILLS") ?? 12);
/** Journeys of each kind at the same time. */
const WORKERS = { holder: 4, visitor: 3, agent: 2 };

const LIMITS = {
  SIGN_IN_CLIENT_LIMIT: "30",
  CONTACT_CLIENT_LIMIT: "5",
  MCP_REGISTRATION_LIMIT: "20",
  MCP_RATE_LIMIT: "60",
  CODE_DAILY_BUDGET: "10",
};

/** The processes and connections that are ended while people use the site, one after another. */
interface Ending {
  count: number;
  end(cluster: Cluster, turn: number): Promise<void>;
}

/** Lets people use the site while something is ended, and checks that nothing is lost or happens twice. */
async function surviveEndings({ count, end }: Ending): Promise<void> {
  await using cluster = await startCluster({ CODE_DAILY_BUDGET: "100000" });
  const tally = newTally();
  const journeys = createJourneys(cluster, tally);
  const streams = new AbortController();
  const following: Promise<void>[] = [];
  const follow = (hash: string) => void following.push(journeys.follow(hash, streams.signal));

  let stopped = false;
  const workers = Object.entries(WORKERS).flatMap(([name, count]) =>
    Array.from({ length: count }, async () => {
      while (!stopped) await journeys[name as keyof typeof WORKERS](follow);
    })
  );
  for (let turn = 0; turn < count; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1_000));
    await end(cluster, turn);
  }
  stopped = true;
  await Promise.all(workers);
  await waitForMails(cluster);
  const chains = await readChains(cluster);
  const arrived = await waitForStreams(tally, chains);
  streams.abort();
  await Promise.all(following);

  const { mails } = cluster;
  const times = Object.values(Object.groupBy(mails, ({ id }) => id)).map((same) => same!.length);
  const repeated = times.filter((count) => count > 1).length;
  console.log({
    statuses: tally.statuses,
    unanswered: tally.unanswered,
    done: tally.done,
    registered: tally.registered.size,
    mails: mails.length,
    repeated,
    codes: cluster.codes.length,
    events: [...chains.values()].flat().length,
    streamed: [...tally.streamed.values()].flat().length,
  });

  assertEquals(tally.faults, []);
  // Every registration is one record, and nobody else's.
  const contacts = await valuesOf(cluster.kv, "contacts");
  assertEquals(contacts.length, tally.registered.size);
  assertEquals(new Set(tally.registered.values()).size, tally.registered.size);
  // A mail is repeated only if its process was killed while sending it.
  assert(Math.max(...times) <= 2, "a mail was sent more than twice");
  assert(repeated <= count / 2 * 8, `${repeated} mails were sent twice`);
  const contents = new Set(mails.map(({ id, to, text }) => `${id} ${to} ${text}`));
  assertEquals(contents.size, times.length, "one id was used for two mails");
  // Every acknowledged event is in its chain once, and streams delivered each event once.
  for (const [hash, kinds] of chains) {
    const { acknowledged, uncertain } = tally.events.get(hash)!;
    for (const kind of new Set([...kinds, ...Object.keys(acknowledged)])) {
      const count = kinds.filter((each) => each === kind).length;
      const least = acknowledged[kind] ?? 0;
      const most = least + (uncertain[kind] ?? 0);
      assert(count >= least && count <= most, `${hash}: ${count} ${kind}, not ${least} to ${most}`);
    }
  }
  assertEquals(arrived, []);
  for (const prefix of ["outbox", "outbox_dead"]) {
    assertEquals(await valuesOf(cluster.kv, prefix), []);
  }
}

Deno.test("three processes that are killed in turn lose and repeat nothing", async () => {
  const exits: Record<string, number[]> = { SIGKILL: [], SIGTERM: [] };
  await surviveEndings({
    count: KILLS,
    async end(cluster, turn) {
      const signal = turn % 2 === 0 ? "SIGKILL" : "SIGTERM";
      exits[signal].push(Math.round(await cluster.restart(turn % 3, signal)));
    },
  });
  console.log({ kills: KILLS, exits });
  assert(Math.max(...exits.SIGTERM) < 10_000, `exits after SIGTERM: ${exits.SIGTERM}`);
});

Deno.test({
  name: "a KV server that is killed ten times under load loses nothing that was acknowledged",
  ignore: !ON_DENOKV,
  fn: () =>
    surviveEndings({
      count: 10,
      async end({ denokv }) {
        await denokv!.kill("SIGKILL");
        await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700));
        await denokv!.start();
      },
    }),
});

/** Waits until the mails of killed processes have been sent. */
async function waitForMails({ kv }: Cluster): Promise<void> {
  for (const until = Date.now() + 150_000; Date.now() < until;) {
    if ((await valuesOf(kv, "outbox")).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Verifies every stored chain, and returns the kinds of its events. */
async function readChains({ kv, send }: Cluster): Promise<Map<string, string[]>> {
  const keys: KeySet = await (await send("trust", "/.well-known/chain-keys.json")).json();
  const invalid: unknown[] = [];
  await createCheckJob({
    kv,
    publisher: "trust.test",
    keys: () => Promise.resolve(keys),
    report: (chain) => Promise.resolve(void invalid.push(chain)),
  }).run({ cursor: null, signal: new AbortController().signal, save: () => Promise.resolve() });
  assertEquals(invalid, []);
  const kinds = new Map<string, string[]>();
  for await (const { key, value } of kv.list<{ kind: string }>({ prefix: ["chain_events"] })) {
    const hash = String(key[1]);
    kinds.set(hash, [...kinds.get(hash) ?? [], value.kind]);
  }
  return kinds;
}

/** Returns the streams that have not delivered each event after the first one once, in order. */
async function waitForStreams(tally: Tally, chains: Map<string, string[]>): Promise<string[]> {
  const different = () =>
    [...tally.streamed].filter(([hash, seen]) =>
      seen.join() !== chains.get(hash)!.slice(1).map((_, i) => i + 1).join()
    ).map(([hash, seen]) => `${hash}: ${seen} of ${chains.get(hash)!.length}`);
  for (const until = Date.now() + 10_000; Date.now() < until && different().length > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return different();
}

Deno.test("limits hold across three processes, and the MCP limit holds in each", async () => {
  await using cluster = await startCluster(LIMITS);
  const { attempt } = createJourneys(cluster, newTally());
  /** Sends requests at the same time, and returns how many had a status. */
  const count = async (
    status: number,
    total: number,
    request: (i: number) => ReturnType<typeof attempt>,
  ) =>
    (await Promise.all(Array.from({ length: total }, (_, i) => request(i))))
      .filter((answer) => answer?.status === status).length;

  const signIn = (email: string, from: string) =>
    attempt("site", "/api/auth/request", { json: { email }, from });
  const signedIn = await count(200, 60, (i) => signIn(`a${i}@test.org`, addressOf(1)));
  assert(signedIn >= 30 && signedIn <= 36, `${signedIn}`); // the limit of a client is approximate

  assertEquals(await count(200, 12, (i) => signIn("same@test.org", addressOf(100 + i))), 12);
  const register = (email: string, from: string) =>
    attempt("api", "/api/ir/register", { json: { ...PERSON, email }, from });
  assertEquals(await count(201, 15, (i) => register(`r${i}@test.org`, addressOf(2))), 5);
  assertEquals(await count(201, 12, (i) => register("mailbox@test.org", addressOf(200 + i))), 12);

  const client = { client_name: "x", redirect_uris: ["https://app.test/callback"] };
  const connect = () =>
    attempt("foundation-mcp", "/register", { json: client, from: addressOf(3) });
  assertEquals(await count(201, 45, connect), 20);

  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const headers = { accept: "application/json, text/event-stream" };
  const call = (i: number) =>
    attempt("foundation-mcp", "/mcp", { json: ping, headers, from: addressOf(4), to: i % 3 });
  assertEquals(await count(200, 240, call), 3 * 60);

  /** Registers, confirms the address, and returns the session's cookie. */
  const holder = async (i: number): Promise<string> => {
    const email = `h${i}@test.org`;
    const number = `041${i} 345 678`;
    const from = addressOf(300 + i);
    const json = { ...PERSON, email, mobile: { country: "AU", number } };
    await attempt("api", "/api/ir/register", { json, from });
    const mail = await cluster.mail(({ to, text }) => to === email && text.includes("?token="));
    const form = { token: /token=([\w-]{43})/.exec(mail!.text)![1] };
    return (await attempt("trust", "/confirm", { form, from }))!.cookies;
  };
  const cookies = await Promise.all(Array.from({ length: 8 }, (_, i) => holder(i)));
  const purpose = "confirm_number";
  const sendCode = (i: number) =>
    attempt("trust", "/api/auth/otp/send", {
      json: { method: "sms", purpose },
      cookie: cookies[i],
      from: addressOf(300 + i),
    });
  const sent = await Promise.all(cookies.map((_, i) => sendCode(i)));
  assertEquals(sent.filter((answer) => answer?.status === 200).length, 5); // half of the budget
  const holds = sent.findIndex((answer) => answer?.status === 200);
  const code = (await cluster.code(`+6141${holds}345678`))!;
  const wrong = code.slice(1) + (code[0] === code[5] ? (Number(code[0]) + 1) % 10 : code[0]);
  const guess = (_: number, json = { code: wrong, purpose }) =>
    attempt("trust", "/api/auth/otp/verify", {
      json,
      cookie: `${cookies[holds]}; ${sent[holds]!.cookies}`,
      from: addressOf(300 + holds),
    });
  const guesses = await Promise.all(Array.from({ length: 12 }, (_, i) => guess(i)));
  const errors = guesses.map((answer) => JSON.parse(answer!.text).error);
  assertEquals(errors.filter((error) => error === "wrong_code").length, 5);
  assert((await guess(0, { code, purpose }))!.status >= 400, "a sixth attempt was allowed");

  await waitForMails(cluster);
  assertEquals(cluster.codes.length, 5);
  const mailsTo = (address: string) => cluster.mails.filter(({ to }) => to === address).length;
  assertEquals(mailsTo("same@test.org"), 3);
  assertEquals(mailsTo("mailbox@test.org"), 5);
});
