import { assert, assertEquals } from "@std/assert";
import { createTestChains, HASH, readAll, verifyStored } from "../../chain/testing/fixtures.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../base/time.ts";
import { readAccessLog } from "../access_log/access_log.ts";
import {
  ANONYMOUS_PER_DAY,
  createReaderEvents,
  isReading,
  NONCE_LIFETIME_MS,
  type ReaderAction,
  type ReaderResult,
} from "./reader_events.ts";
import type { HolderSession } from "../sessions/table.ts";

const KINDS: ReaderAction["kind"][] = [
  "record_verified",
  "document_viewed",
  "document_downloaded",
  "document_printed",
  "document_verified",
  "access_requested",
];

const readerIn = (third: number) => ({
  network: `203.0.${third}.0/24`,
  browser: "Firefox on Linux",
});
const ACTION: ReaderAction = {
  hash: HASH,
  kind: "document_viewed",
  object: "document-1",
  reader: readerIn(113),
  as: "anonymous",
};

async function setUp() {
  const kv = limitKv(await openKv(":memory:"));
  const { chains, clock } = createTestChains(kv);
  await chains.start(HASH, (commit) => {
    commit.set(["contacts", HASH], { registered_at: new Date(clock.now).toISOString() });
  });
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const readers = createReaderEvents({ kv, clock: () => clock.now, chains, secrets });
  return {
    kv,
    chains,
    clock,
    readers,
    kinds: async () => (await readAll(chains)).slice(1).map(({ kind }) => kind),
    log: async () => (await readAccessLog(kv, HASH, clock.now, { limit: 100 })).entries,
    [Symbol.dispose]: () => kv.close(),
  };
}

/** Returns what became of an action. */
function outcomeOf(result: ReaderResult): string {
  if (!result.ok) return result.error;
  return result.event === null ? result.suppressed : "counted";
}

Deno.test("each kind of action appends its event with an entry in the access log", async () => {
  using site = await setUp();
  for (const kind of KINDS) {
    assertEquals(outcomeOf(await site.readers.add({ ...ACTION, kind, detail: kind })), "counted");
    site.clock.now += 1;
  }
  assertEquals(await site.kinds(), KINDS);
  assertEquals(
    (await site.log()).map((
      { what, seq, network, browser, detail },
    ) => [what, seq, network, browser, detail]).reverse(),
    KINDS.map((kind, i) => [kind, i + 1, "203.0.113.0/24", "Firefox on Linux", kind]),
  );
  assert((await verifyStored(site.chains)).ok);
});

Deno.test("a reader's action counts again after exactly an hour, and on the next day", async () => {
  using site = await setUp();
  const add = async () => outcomeOf(await site.readers.add(ACTION));
  assertEquals(await add(), "counted"); // at 09:30
  site.clock.now += HOUR_MS - 1;
  assertEquals(await add(), "recent");
  site.clock.now += 1;
  assertEquals(await add(), "counted");
  site.clock.now = Date.UTC(2026, 0, 15, 23, 59, 59, 999);
  assertEquals(await add(), "counted");
  site.clock.now += 1; // nobody can recognise a reader on another day
  assertEquals(await add(), "counted");
});

Deno.test("another network, object or kind counts separately; another browser does not", async () => {
  using site = await setUp();
  const add = async (change: Partial<ReaderAction>) =>
    outcomeOf(await site.readers.add({ ...ACTION, ...change }));
  assertEquals(await add({}), "counted");
  assertEquals(await add({ reader: readerIn(114) }), "counted");
  assertEquals(await add({ object: "document-2" }), "counted");
  assertEquals(await add({ kind: "document_printed" }), "counted");
  assertEquals(await add({ reader: { ...ACTION.reader, browser: "Safari on iPhone" } }), "recent");
});

Deno.test("anonymous readers cause 50 events per kind and day; grants, L1 and requests more", async () => {
  using site = await setUp();
  const add = async (third: number, change: Partial<ReaderAction> = {}) =>
    outcomeOf(await site.readers.add({ ...ACTION, reader: readerIn(third), ...change }));
  for (let i = 0; i < ANONYMOUS_PER_DAY; i++) assertEquals(await add(i), "counted");
  assertEquals(await add(200), "limit");
  assertEquals(await add(200, { object: "document-2" }), "limit");
  assertEquals(await add(200, { kind: "document_printed" }), "counted");
  for (const as of ["grant", "administrator"] as const) {
    for (let i = 0; i < 2; i++) assertEquals(await add(200, { as }), "counted");
  }
  for (let i = 0; i < 2; i++) assertEquals(await add(200, { kind: "access_requested" }), "counted");
  site.clock.now += DAY_MS;
  assertEquals(await add(200), "counted");
  assertEquals((await site.kinds()).length, 58);
});

Deno.test("suppressed actions are counted in one entry per kind and day of the access log", async () => {
  using site = await setUp();
  const suppressed = async () =>
    (await site.log()).filter(({ what }) => what === "readings_suppressed");
  for (let i = 0; i < 4; i++) {
    await site.readers.add(ACTION);
    site.clock.now += MINUTE_MS;
  }
  const at = new Date(site.clock.now - MINUTE_MS).toISOString();
  assertEquals(
    (await suppressed()).map((entry) => [entry.detail, entry.at, entry.seq]),
    [["(document_viewed × 3)", at, undefined]],
  );
  await site.readers.add({ ...ACTION, kind: "document_printed" });
  await site.readers.add({ ...ACTION, kind: "document_printed" });
  site.clock.now += DAY_MS;
  await site.readers.add(ACTION);
  await site.readers.add(ACTION);
  assertEquals((await suppressed()).map(({ detail }) => detail), [
    "(document_viewed × 1)",
    "(document_printed × 1)",
    "(document_viewed × 3)",
  ]);
});

Deno.test("40 concurrent actions of one reader append one event and count 39 as suppressed", async () => {
  using site = await setUp();
  const results = await Promise.all(Array.from({ length: 40 }, () => site.readers.add(ACTION)));
  assertEquals(results.map(outcomeOf).filter((outcome) => outcome === "counted").length, 1);
  assertEquals(await site.kinds(), ["document_viewed"]);
  const log = (await site.log()).filter(({ what }) => what === "readings_suppressed");
  assertEquals(log.map(({ detail }) => detail), ["(document_viewed × 39)"]);
});

Deno.test("40 concurrent readers with 49 events today append one event", async () => {
  using site = await setUp();
  for (let i = 1; i < ANONYMOUS_PER_DAY; i++) {
    await site.readers.add({ ...ACTION, reader: readerIn(i) });
  }
  const actions = Array.from({ length: 40 }, (_, i) => ({ ...ACTION, reader: readerIn(100 + i) }));
  const results = await Promise.all(actions.map((action) => site.readers.add(action)));
  assertEquals(results.map(outcomeOf).filter((outcome) => outcome === "counted").length, 1);
  assertEquals((await site.kinds()).length, ANONYMOUS_PER_DAY);
});

Deno.test("the store contains no network outside the access log", async () => {
  using site = await setUp();
  for (let i = 0; i < 2; i++) await site.readers.add(ACTION);
  const entries = await Array.fromAsync(site.kv.list({ prefix: [] }));
  const others = entries.filter(({ key }) => key[0] !== "access_log");
  assert(others.some(({ key }) => key[0] === "reader_visits"));
  assert(!Deno.inspect(others, { depth: 10, iterableLimit: Infinity }).includes("203.0.113"));
});

Deno.test("an action on a deleted or unknown record changes nothing", async () => {
  using site = await setUp();
  await site.readers.add(ACTION);
  const [entry] = await site.log();
  await site.kv.delete(["contacts", HASH]);
  assertEquals(outcomeOf(await site.readers.add(ACTION)), "not_found");
  assertEquals(outcomeOf(await site.readers.add({ ...ACTION, as: "grant" })), "not_found");
  assertEquals(outcomeOf(await site.readers.add({ ...ACTION, hash: "d".repeat(64) })), "not_found");
  assertEquals(await site.log(), [entry]);
  assertEquals(await site.kinds(), ["document_viewed"]);
});

Deno.test("the caller's writes belong to the commit, and false cancels the action", async () => {
  using site = await setUp();
  const write = (value: string) => (commit: Deno.AtomicOperation) => {
    commit.set(["mine"], value);
  };
  const mine = async () => (await site.kv.get(["mine"])).value;
  await site.readers.add(ACTION, write("event"));
  assertEquals(await mine(), "event");
  await site.readers.add(ACTION, write("suppressed"));
  assertEquals(await mine(), "suppressed");
  const before = await site.log();
  const cancel = (commit: Deno.AtomicOperation) => {
    commit.set(["mine"], "cancelled");
    return false;
  };
  await site.readers.add(ACTION, cancel);
  await site.readers.add({ ...ACTION, as: "grant" }, cancel);
  assertEquals([await mine(), await site.kinds()], ["suppressed", ["document_viewed"]]);
  assertEquals(await site.log(), before);
});

Deno.test("a nonce works once, for its kind, for ten minutes", async () => {
  using site = await setUp();
  const scope = { hash: HASH, kind: "record_verified", object: HASH } as const;
  const action = { kind: "record_verified", reader: ACTION.reader, as: "anonymous" } as const;
  const use = async (nonce: string, change: Partial<ReaderAction> = {}) =>
    outcomeOf(await site.readers.addOnce(nonce, { ...action, ...change }));

  const nonce = (await site.readers.createNonce(scope))!;
  assertEquals(await site.readers.readNonce(nonce), scope);
  assertEquals(await use(nonce, { kind: "document_verified" }), "invalid_nonce");
  assertEquals(await use(nonce), "counted");
  assertEquals(await use(nonce, { reader: readerIn(114) }), "invalid_nonce");
  assertEquals(await site.readers.readNonce(nonce), null);

  const suppressed = (await site.readers.createNonce(scope))!;
  assertEquals([await use(suppressed), await use(suppressed)], ["recent", "invalid_nonce"]);

  const late = (await site.readers.createNonce(scope))!;
  site.clock.now += NONCE_LIFETIME_MS - 1;
  assert(await site.readers.readNonce(late) !== null);
  site.clock.now += 1;
  assertEquals(await use(late, { reader: readerIn(115) }), "invalid_nonce");
  for (const unknown of ["", "x".repeat(43), "x".repeat(5_000)]) {
    assertEquals(await use(unknown), "invalid_nonce");
  }
  assertEquals(await site.kinds(), ["record_verified"]);
});

Deno.test("40 concurrent uses of a nonce append one event, and count nothing else", async () => {
  using site = await setUp();
  const nonce = await site.readers.createNonce({
    hash: HASH,
    kind: "record_verified",
    object: HASH,
  });
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      site.readers.addOnce(nonce!, {
        kind: "record_verified",
        reader: readerIn(i % 2),
        as: "anonymous",
      })),
  );
  const outcomes = results.map(outcomeOf);
  assertEquals(outcomes.filter((outcome) => outcome === "counted").length, 1);
  assertEquals(outcomes.filter((outcome) => outcome === "invalid_nonce").length, 39);
  assertEquals((await site.log()).map(({ what }) => what), ["record_verified"]);
});

Deno.test("isReading rejects HEAD, prefetches, link previews and the holder's own visits", () => {
  const reading = (headers: Record<string, string>, method = "GET") =>
    isReading(new Request("http://trust.example/", { method, headers }), null, HASH);
  const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const CUBOT = "Mozilla/5.0 (Linux; Android 13; CUBOT X70) AppleWebKit/537.36 Chrome/130.0 Mobile";
  for (const agent of [FIREFOX, CUBOT]) assert(reading({ "user-agent": agent }), agent);
  assert(!reading({ "user-agent": FIREFOX }, "HEAD"));
  assert(!reading({ "user-agent": FIREFOX, "sec-purpose": "prefetch;prerender" }));
  for (
    const agent of [
      "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
      "TelegramBot (like TwitterBot)",
      "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
      "facebookexternalhit/1.1",
      "WhatsApp/2.23.20.0 A",
      "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
      "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    ]
  ) {
    assert(!reading({ "user-agent": agent }), agent);
  }
  const request = new Request("http://trust.example/");
  const own = (record: string | null, choices: string[]) =>
    isReading(request, { record, choices } as HolderSession, HASH);
  assertEquals(
    [own(HASH, [HASH]), own(null, ["other", HASH]), own("other", ["other"])],
    [false, false, true],
  );
});
