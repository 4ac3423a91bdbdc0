import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  ChainReadError,
  formatSavedChain,
  type LinkedEvent,
  newSalt,
  recordHash,
  type SavedChain,
} from "../chain/mod.ts";
import { HASH, makeSavedChain, PUBLISHER, serveChain } from "../testing/chains.ts";
import { encodeHex } from "../../../lib/base/bytes.ts";
import { createMemory } from "./memory.ts";
import { entriesOf, policyOf, smallLog, testKeys } from "../testing/small_log.ts";
import { type RecordQuestion, verifyRecord } from "./verify_record.ts";

const TIME = Date.UTC(2026, 2, 1, 0, 10) / 1000;
const logKeys = await testKeys();

/** Returns a chain with its proof in the log. */
async function logged(saved: SavedChain): Promise<SavedChain> {
  const events = saved.events as LinkedEvent[];
  const log = smallLog(entriesOf(saved.hash, events), logKeys);
  const checkpoint = await log.checkpoint({ time: TIME });
  return { ...saved, log_proof: await log.proof(events.length - 1, checkpoint) };
}

const chain = await logged(await makeSavedChain());

/** Verifies a saved file, without requests unless `fetch` serves them. */
const verify = (file: SavedChain | string, more: Partial<RecordQuestion> = {}) =>
  verifyRecord({
    file: typeof file === "string" ? file : formatSavedChain(file),
    hash: HASH,
    publisher: PUBLISHER,
    trust: { policy: policyOf(logKeys), memory: createMemory() },
    offline: true,
    ...more,
  } as RecordQuestion);

Deno.test("a saved chain is verified, and the sentence says since when it is in the log", async () => {
  const result = await verify(chain);
  assertEquals([result.ok, result.chain.ok, result.events.length, result.keysFrom], [
    true,
    true,
    12,
    "file",
  ]);
  assertEquals(result.sentence, {
    tone: "good",
    text: "Logged by 1 Mar 2026, 00:10 UTC, countersigned by Other.",
  });
  assertEquals((await verify(chain, { keys: chain.keys })).keysFrom, "caller");
  // Without a proof, the events are as old as the head says, and not new.
  const { ok, sentence } = await verify({ ...chain, log_proof: undefined });
  assertEquals([ok, sentence?.tone], [true, "warning"]);
});

Deno.test("the chain at an address is verified with keys from the publisher, which serves no log here", async () => {
  const { fetch, requests } = serveChain(chain);
  const url = `https://api.example/api/chain/${HASH}`;
  const question = { url, fetch, offline: false, hash: HASH, publisher: PUBLISHER };
  const trust = { policy: policyOf(logKeys), memory: createMemory() };
  const result = await verifyRecord({ ...question, trust, now: TIME * 1000 });
  assertEquals([result.ok, result.keysFrom, result.log?.fault?.code], [
    true,
    "publisher",
    "log_missing",
  ]);
  assert(requests.includes("/.well-known/chain-keys.json"));
  await assertRejects(() => verifyRecord({ ...question, trust, offline: true }), ChainReadError);
  await assertRejects(
    () => verifyRecord({ ...question, trust, publisher: "no host" }),
    ChainReadError,
    "is not a host",
  );
});

Deno.test("the hash and the publisher that the file states count for nothing", async () => {
  const cases: [Partial<RecordQuestion>, string][] = [
    [{ hash: "d".repeat(64) }, "bad_prev"],
    [{ hash: "x" }, "bad_input"],
    [{ publisher: "other.example" }, "bad_origin"],
    [{ keys: [] }, "unknown_key"],
  ];
  for (const [more, code] of cases) {
    const result = await verify(chain, more);
    assertEquals(
      [
        result.ok,
        !result.chain.ok && result.chain.code,
        result.events,
        result.log,
        result.sentence,
      ],
      [false, code, [], null, null],
    );
  }
});

Deno.test("an altered or damaged file is not verified, and not compared with the log", async () => {
  const altered = formatSavedChain(chain).replace("email_confirmed", "sms_confirmed");
  const cut = formatSavedChain({ ...chain, events: chain.events.slice(0, 11) });
  for (
    const [file, code, seq] of [
      [altered, "bad_hash", 1],
      [cut, "truncated", 11],
      ["{", "bad_input", undefined],
      [formatSavedChain(chain).replace('"seq":3', '"seq":'), "bad_event", 3],
    ] as const
  ) {
    const { ok, chain: verified, log } = await verify(file);
    const at = "seq" in verified ? verified.seq : undefined;
    assertEquals([ok, !verified.ok && verified.code, at, log], [false, code, seq, null]);
  }
});

Deno.test("a proof of another chain contradicts a verified chain", async () => {
  const other = await logged(await makeSavedChain({ hash: "d".repeat(64) }));
  const { ok, chain: verified, log, sentence } = await verify({
    ...chain,
    log_proof: other.log_proof,
  });
  assertEquals([ok, verified.ok, log?.fault?.code, sentence?.tone], [
    false,
    true,
    "log_inclusion",
    "warning",
  ]);
});

Deno.test("the record in a file must have the hash", async () => {
  const [salt, record] = [newSalt(), { name: "Ada" }];
  const hash = await recordHash(salt, record);
  const saved = await makeSavedChain({ hash });
  const opened = { ...saved, record, salt: encodeHex(salt) };
  assert((await verify(opened, { hash })).ok);
  for (
    const changed of [
      { ...opened, record: { name: "Eve" } },
      { ...opened, record: undefined },
      { ...opened, record: [] },
      { ...opened, salt: opened.salt.slice(2) },
      { ...opened, salt: undefined },
    ]
  ) {
    const { ok, chain: verified } = await verify(changed, { hash });
    assertEquals([ok, !verified.ok && verified.code], [false, "bad_record"]);
  }
});
