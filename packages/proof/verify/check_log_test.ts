import { assert, assertEquals } from "@std/assert";
import { HOUR_MS, MINUTE_MS } from "../../../lib/base/time.ts";
import { ChainReadError } from "../chain/mod.ts";
import { HASH, makeChain } from "../testing/chains.ts";
import { EMPTY_POLICY, formatVerifierKey, ownWitnessComment, parsePolicy } from "../log/mod.ts";
import { checkLog, type LogQuestion, suggestedKeys } from "./check_log.ts";
import { isProof } from "./compare.ts";
import { createMemory } from "./memory.ts";
import { logSentence } from "./sentence.ts";
import { chainStatements } from "./statements.ts";
import {
  entriesOf,
  ORIGIN,
  policyOf,
  smallLog,
  type TestKeys,
  testKeys,
} from "../testing/small_log.ts";

const keys = await testKeys();
const strangers = await testKeys();
/** One event per second from 1 January 2026, 00:00 UTC on. */
const events = await makeChain(HASH, 5);
const others = await makeChain("d".repeat(64), 7);
const entries = [
  ...entriesOf("d".repeat(64), others.slice(0, 3)),
  ...entriesOf(HASH, events),
  ...entriesOf("d".repeat(64), others, [4, 5, 6, 7]),
];
const log = smallLog(entries, keys);
const START = Date.UTC(2026, 0, 1);
const TIME = START / 1000 + 60;
const LATER = START + 30 * MINUTE_MS;
/** Holds the chain of five events, countersigned. */
const CHECKPOINT = await log.checkpoint({ size: 8, time: TIME });
const PROOF = await log.proof(7, CHECKPOINT);
const NEWEST = await log.checkpoint({ time: TIME + 600 });

const check = (changes: Partial<LogQuestion> = {}) =>
  checkLog({
    origin: ORIGIN,
    statements: chainStatements(HASH, events),
    proof: PROOF,
    trust: { policy: policyOf(keys), memory: createMemory() },
    asOf: LATER,
    now: changes.asOf ?? LATER,
    ...changes,
  });

async function say(changes: Partial<LogQuestion> = {}) {
  const { tone, text } = logSentence(await check(changes));
  return `${tone}: ${text}`;
}

const SINCE = "Logged by 1 Jan 2026, 00:01 UTC, countersigned by Other";

Deno.test("a proof of the last event says since when, and by whom of the reader's policy", async () => {
  assertEquals(await say(), `good: ${SINCE}.`);
  const own = policyOf(keys, ownWitnessComment("Other"));
  assertEquals(
    await say({ trust: { policy: own, memory: createMemory() } }),
    `fair: ${SINCE}, which the same operator runs, so it proves nothing against that operator.`,
  );
  const { place, checked } = await check();
  assertEquals([place, checked], [{ index: 7, size: 8, keyId: keys.log.key.id }, "proof"]);
});

Deno.test("a proof that nobody of the reader's policy has countersigned is only in the publisher's log", async () => {
  const alone = "fair: In the publisher's log; nobody independent has countersigned it.";
  const policy = policyOf({ log: keys.log });
  assertEquals(await say({ trust: { policy, memory: createMemory() } }), alone);
  assertEquals(await say({ proof: await log.proof(7, await log.checkpoint({ size: 8 })) }), alone);
});

Deno.test("too few countersignatures for the reader's quorum are reported", async () => {
  const [first, second] = [keys, strangers].map(({ witness }) => formatVerifierKey(witness.key));
  // Both have the same name, but not the same key.
  const policy = parsePolicy(
    `log ${formatVerifierKey(keys.log.key)}\nwitness A ${first}\nwitness B ${second}\n` +
      "group both all A B\nquorum both\n",
  );
  assertEquals(
    await say({ trust: { policy, memory: createMemory() } }),
    "warning: In the publisher's log; too few of your witnesses have countersigned it.",
  );
  // A publisher gains nothing from leaving out all countersignatures.
  const trust = { policy, memory: createMemory() };
  const bare = await log.checkpoint({ size: 8 });
  assertEquals(
    await say({ trust, proof: await log.proof(7, bare) }),
    "warning: In the publisher's log; nobody independent has countersigned it.",
  );
  assertEquals(
    await say({ trust, proof: await log.proof(2, bare) }),
    "warning: Not in the log: the proof is not valid.",
  );
});

Deno.test("a proof of an earlier size is enough while every later event is less than 10 minutes old", async () => {
  const proof = await log.proof(5, CHECKPOINT);
  const part = "The first 3 of 5 events were logged by 1 Jan 2026, 00:01 UTC, " +
    "countersigned by Other; newer ones follow within 10 minutes.";
  const limit = START + 3_000 + 10 * MINUTE_MS; // the fourth event has the second 3
  assertEquals(await say({ proof, asOf: limit - 1 }), `good: ${part}`);
  assertEquals(await say({ proof, asOf: limit }), "warning: 2 events are missing in the log.");
  assertEquals((await check({ proof, asOf: limit })).fault?.code, "log_missing");
  // Events whose time is far in the future are not new.
  assertEquals(
    await say({ proof, asOf: START - HOUR_MS }),
    "warning: 2 events are missing in the log.",
  );
});

Deno.test("a chain without a proof is not logged yet for 10 minutes, and then not in the log", async () => {
  const yet = "fair: Not in the public log yet. This is normal only for a record that was " +
    "registered in the last 10 minutes.";
  assertEquals(await say({ proof: undefined, asOf: START + 10 * MINUTE_MS - 1 }), yet);
  assertEquals(
    await say({ proof: undefined, asOf: START + 10 * MINUTE_MS }),
    "warning: Not in the log.",
  );
  // A fresh event after an old one does not help a fork to look new.
  const statements = chainStatements(HASH, events)
    .map((each, i) => i === 4 ? { ...each, at: new Date(LATER).toISOString() } : each);
  assertEquals(await say({ proof: undefined, statements }), "warning: Not in the log.");
});

Deno.test("a file that was saved before newer events had to be in the log says so, once it is older", async () => {
  const asOf = START + 5_000;
  const rest =
    "This was so when the file was saved: it does not show that the rest is in the log now.";
  for (const proof of [undefined, await log.proof(5, CHECKPOINT)]) {
    const fresh = await say({ proof, asOf, now: asOf + 10 * MINUTE_MS - 1 });
    const older = await say({ proof, asOf, now: asOf + 10 * MINUTE_MS });
    assertEquals(older, `${fresh.replace(/^\w+/, "warning")} ${rest}`);
  }
  assertEquals(await say({ asOf, now: LATER }), `good: ${SINCE}.`);
});

Deno.test("a proof that is malformed, of another chain, or by another key is a fault", async () => {
  const forged = await smallLog(entries, { ...keys, log: strangers.log })
    .checkpoint({ size: 8, time: TIME });
  const cases: [unknown, string][] = [
    [null, "log_missing"],
    [7, "log_malformed"],
    ["c2sp.org/tlog-proof@v1\nindex 0\n\n", "log_malformed"],
    [PROOF.replace(/extra .*\n/, ""), "log_malformed"],
    [PROOF.replace(/extra B/, "extra C"), "log_inclusion"],
    [await log.proof(2, CHECKPOINT), "log_inclusion"],
    [await log.proof(7, forged), "log_unknown"],
    [PROOF.replace("\n8\n", "\n9\n"), "log_signature"],
  ];
  for (const [proof, code] of cases) {
    const finding = await check({ proof });
    assertEquals([proof, finding.fault?.code, finding.logged], [proof, code, 0]);
  }
  assertEquals(
    await say({ proof: await log.proof(2, CHECKPOINT) }),
    "warning: Not in the log: the proof is not valid.",
  );
});

Deno.test("the key that is seen first is remembered, and another one is refused until it is accepted", async () => {
  const memory = createMemory();
  const trust = { policy: EMPTY_POLICY, memory };
  const offline = await check({ trust });
  assertEquals([offline.fault?.code, offline.keys], ["log_unknown", []]);
  const first = await check({ trust, log: log.reader(NEWEST) });
  const own = formatVerifierKey(keys.log.key);
  assertEquals([first.fault, first.checked, first.keys, first.isNewKey], [
    null,
    "log",
    [own],
    true,
  ]);
  const again = await check({ trust }); // now also without requests
  assertEquals([again.fault, again.keys, again.isNewKey], [null, [own], false]);

  const other: TestKeys = { ...keys, log: strangers.log };
  const replaced = smallLog(entries, other);
  const newest = await replaced.checkpoint({ time: TIME });
  const question = {
    log: replaced.reader(newest),
    proof: await replaced.proof(7, newest),
  };
  const refused = await check({ trust, ...question });
  assertEquals([refused.fault?.code, (await memory.read(ORIGIN))?.keys], ["log_unknown", [own]]);
  assertEquals(
    logSentence(refused),
    {
      tone: "warning",
      text: `Not checked: no key that is known here has signed the log ${ORIGIN}.`,
    },
  );
  const accepted = await check({ trust: { ...trust, acceptKey: true }, ...question });
  const vkey = formatVerifierKey(other.log.key);
  assertEquals([accepted.fault, accepted.keys, accepted.isNewKey], [null, [vkey], true]);
  assertEquals(await memory.read(ORIGIN), { checkpoint: newest, keys: [vkey] });
  // A key of the reader's own policy needs no memory.
  const policy = policyOf({ log: keys.log });
  assertEquals((await check({ trust: { policy, memory: createMemory() } })).fault, null);
  assertEquals(suggestedKeys("no policy"), []);
});

Deno.test("the newest checkpoint is remembered, and one that does not extend it is proof of misconduct", async () => {
  const memory = createMemory();
  const trust = { policy: policyOf(keys), memory };
  await check({ trust });
  assertEquals((await memory.read(ORIGIN))?.checkpoint, CHECKPOINT); // without requests, too
  await check({ trust, log: log.reader(NEWEST) });
  assertEquals((await memory.read(ORIGIN))?.checkpoint, NEWEST);

  const forgedEntries = entries.with(2, entriesOf(HASH, others, [3])[0]);
  for (const length of [7, 8, 12, 13]) {
    const more = length <= entries.length
      ? forgedEntries.slice(0, length)
      : [...forgedEntries, entriesOf(HASH, events, [1])[0]];
    const forged = smallLog(more, keys);
    const newest = await forged.checkpoint({ time: TIME });
    const finding = await check({ trust, log: forged.reader(newest) });
    assertEquals([length, finding.fault?.code], [length, "log_inconsistent"]);
    // A log that shows less than it has signed before cannot prove what it had.
    const isProven = isProof(finding.contradiction!);
    assertEquals([length, isProven], [length, length !== 7]);
    assertEquals(logSentence(finding).tone, isProven ? "bad" : "warning");
    assertEquals((await memory.read(ORIGIN))?.checkpoint, NEWEST);
  }
});

Deno.test("evidence with other hashes, another order or another log proves nothing", async () => {
  const memory = createMemory();
  const trust = { policy: policyOf(keys), memory };
  await check({ trust, log: log.reader(CHECKPOINT) });
  const forged = smallLog(entries.with(2, entriesOf(HASH, others, [3])[0]), keys);
  const { contradiction } = await check({
    trust,
    log: forged.reader(await forged.checkpoint()),
  });
  const proof = contradiction!;
  assert(isProof(proof));
  const honest = await log.checkpoint();
  for (
    const changed of [
      { ...proof, nodes: null },
      { ...proof, nodes: proof.nodes!.slice(1) },
      { ...proof, nodes: proof.nodes!.toReversed() },
      { ...proof, older: proof.newer, newer: proof.older },
      { ...proof, newer: honest },
      { ...proof, older: proof.older.replace(ORIGIN, "other.example/log") },
      { ...proof, older: "" },
    ]
  ) assertEquals([changed, isProof(changed)], [changed, false]);
});

Deno.test("an older checkpoint from a cache is accepted if the log still serves the newer tree", async () => {
  const memory = createMemory();
  const trust = { policy: policyOf(keys), memory };
  const reader = log.reader(NEWEST);
  await check({ trust, log: reader });
  const cached = { ...reader, checkpoint: () => Promise.resolve(CHECKPOINT) };
  assertEquals((await check({ trust, log: cached })).fault, null);
  assertEquals((await memory.read(ORIGIN))?.checkpoint, NEWEST);
  const { fault, contradiction } = await check({ trust, log: log.reader(CHECKPOINT) });
  assertEquals([fault?.code, contradiction?.nodes], ["log_inconsistent", null]);
});

Deno.test("a log that was not countersigned for three hours says so; one that cannot be read is not compared", async () => {
  const now = (TIME + 600) * 1000 + 3 * HOUR_MS;
  assertEquals(await say({ now, log: log.reader(NEWEST) }), `good: ${SINCE}.`);
  assertEquals(
    await say({ now: now + 1, log: log.reader(NEWEST) }),
    `warning: ${SINCE}. The log has not been countersigned since 1 Jan 2026, 00:11 UTC.`,
  );
  const unreachable = () => Promise.reject(new ChainReadError("unreachable", "No network."));
  const finding = await check({
    log: { checkpoint: unreachable, policy: unreachable, tiles: unreachable },
  });
  assertEquals([finding.fault, finding.checked, finding.unread], [null, "proof", "No network."]);
  const halfway = await check({ log: { ...log.reader(NEWEST), tiles: unreachable } });
  assertEquals([halfway.fault, halfway.checked, halfway.unread], [null, "proof", "No network."]);
});

Deno.test("a proof that does not satisfy the policy is accepted with a newest checkpoint that does and extends it, and can be renewed", async () => {
  const quorum = { ...policyOf(keys), quorum: "Other" };
  const trust = () => ({ policy: quorum, memory: createMemory() });
  const bare = await log.checkpoint({ size: 8 });
  const proof = await log.proof(7, bare);
  assertEquals((await check({ proof, trust: trust() })).fault?.code, "log_quorum");
  const renewing = await check({ proof, trust: trust(), log: log.reader(NEWEST) });
  const since = "Logged by 1 Jan 2026, 00:11 UTC, countersigned by Other.";
  assertEquals(logSentence(renewing), { tone: "good", text: since });
  assertEquals(renewing.place, { index: 7, size: 12, keyId: keys.log.key.id });
  assertEquals(renewing.renewed, await log.proof(7, NEWEST));
  assertEquals(await say({ proof: renewing.renewed, trust: trust() }), `good: ${since}`);

  // Also if the policy needs nobody, but knows the witness.
  assertEquals(await say({ proof, log: log.reader(NEWEST) }), `good: ${since}`);
  // A valid proof stays, because its countersignature is older.
  const valid = await check({ trust: trust(), log: log.reader(NEWEST) });
  assertEquals([valid.place!.size, valid.renewed], [8, null]);
  // The newest one does not help if nobody has countersigned it, or if it is older than the proof.
  const later = await log.checkpoint();
  assertEquals(
    (await check({ proof, trust: trust(), log: log.reader(later) })).fault?.code,
    "log_quorum",
  );
  const older = {
    ...log.reader(NEWEST),
    checkpoint: () => log.checkpoint({ size: 8, time: TIME }),
  };
  const newer = await log.proof(7, await log.checkpoint({ size: 12 }));
  assertEquals(
    (await check({ proof: newer, trust: trust(), log: older })).fault?.code,
    "log_quorum",
  );
});

Deno.test("a newest checkpoint with every countersignature does not hide that it contradicts the proof", async () => {
  const fork = smallLog(entriesOf("e".repeat(64), events).concat(entries), keys);
  const { fault, renewed, countersigned } = await check({
    proof: await log.proof(7, await log.checkpoint({ size: 8 })),
    trust: { policy: { ...policyOf(keys), quorum: "Other" }, memory: createMemory() },
    log: fork.reader(await fork.checkpoint({ time: TIME })),
  });
  assertEquals([fault?.code, renewed, countersigned], ["log_inconsistent", null, null]);
});

Deno.test("if the newest checkpoint does not satisfy the policy either, another one of the log does, whatever else it offers", async () => {
  const trust = () => ({
    policy: { ...policyOf(keys), quorum: "Other" },
    memory: createMemory(),
  });
  const proof = await log.proof(7, await log.checkpoint({ size: 8 }));
  const [newest, countersigned, bare, early] = await Promise.all([
    log.checkpoint(),
    log.checkpoint({ size: 10, time: TIME }),
    log.checkpoint({ size: 11 }),
    log.checkpoint({ size: 7, time: TIME }),
  ]);
  const checkWith = (checkpoints: () => Promise<readonly string[]>) =>
    check({ proof, trust: trust(), log: { ...log.reader(newest), checkpoints } });
  const found = await checkWith(() =>
    Promise.resolve([newest, "no checkpoint", bare, early, countersigned])
  );
  assertEquals([found.fault, found.place!.size], [null, 10]);
  assertEquals(found.renewed, await log.proof(7, countersigned));
  assertEquals(
    await say({ proof: found.renewed, trust: trust() }),
    `good: ${logSentence(found).text}`,
  );

  // One without the entry, and none at all, change nothing.
  for (
    const checkpoints of [
      () => Promise.resolve([bare, early]),
      () => Promise.reject(new ChainReadError("not_found", "There is no such file.")),
    ]
  ) assertEquals((await checkWith(checkpoints)).fault?.code, "log_quorum");
  // Eight others are verified at most: each takes a signature, and a log can offer any number.
  const many = (before: number) => () =>
    Promise.resolve([...Array<string>(before).fill(bare), countersigned]);
  assertEquals((await checkWith(many(7))).fault, null);
  assertEquals((await checkWith(many(8))).fault?.code, "log_quorum");
  // One of another tree is a contradiction.
  const fork = smallLog(entriesOf("e".repeat(64), events).concat(entries), keys);
  const other = await fork.checkpoint({ size: 10, time: TIME });
  const { fault, contradiction } = await checkWith(() => Promise.resolve([other]));
  assertEquals([fault?.code, isProof(contradiction!)], ["log_inconsistent", true]);
});
