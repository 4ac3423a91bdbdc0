import { assert, assertEquals } from "@std/assert";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import {
  ChainReadError,
  chainStatements,
  checkLog,
  createMemory,
  createSigner,
  EMPTY_ROOT,
  formatVerifierKey,
  generatePrivateJwk,
  type LinkedEvent,
  LOG_KEY,
  type LogReader,
  logSentence,
  ownWitnessComment,
  parseCheckpoint,
  parsePolicy,
  parseProof,
  type Policy,
} from "../packages/proof/mod.ts";
import { createChains } from "../lib/features/chain/mod.ts";
import { createAddEvent } from "../lib/features/log/store/chains.ts";
import { createLogProofs } from "../lib/features/log/store/proofs.ts";
import { sequenceBatch } from "../lib/features/log/store/sequence.ts";
import { createLogFiles } from "../lib/features/log/store/serve.ts";
import { logHalted, logWitnesses } from "../lib/features/log/store/tables.ts";
import {
  addEntries,
  createTestLog,
  createTestPublisher,
  createTestWitness,
  ORIGIN,
  type TestWitness,
} from "../lib/features/log/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";

const HASH = "c".repeat(64);
const PUBLISHER = "trust.example";

/** The policies of readers and logs. In the last one, the log's operator runs the first witness. */
const POLICIES = {
  "any of two": "group some any first second\nquorum some\n",
  "both": "group some all first second\nquorum some\n",
  "the independent one": "quorum second\n",
} as const;

type PolicyName = keyof typeof POLICIES;

/** A log with two witnesses, the second of which a test scripts, and one record. */
async function setup(quorum: PolicyName) {
  const kv = limitKv(await openKv(":memory:"));
  let now = Date.parse("2026-03-01T00:00:00Z");
  const clock = () => now;
  const signer = await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk());
  const signers = () => Promise.resolve([signer]);
  const first = await createTestWitness("first", clock);
  const second = await createTestWitness("second", clock);
  first.own = quorum === "the independent one";
  const policyOf = (name: PolicyName): Policy =>
    parsePolicy([
      `log ${formatVerifierKey(signer.key)}`,
      ...first.own ? [ownWitnessComment("first")] : [],
      `witness first ${formatVerifierKey(first.key)}`,
      `witness second ${formatVerifierKey(second.key)}`,
      POLICIES[name],
    ].join("\n"));
  const asked: TestWitness[] = [first, second];
  const witnesses = () => Promise.resolve(asked);
  let patience = new AbortController();
  const publisher = await createTestPublisher(kv, {
    clock,
    signers,
    witnesses,
    patience: () => patience.signal,
  });
  const chains = createChains({
    kv,
    clock,
    publisher: PUBLISHER,
    signingKey: undefined,
    addToEvent: createAddEvent({ kv, clock, committed: () => {} }),
  });
  const proofs = createLogProofs({ kv, signers, witnesses, policy: policyOf(quorum) });
  const files = createLogFiles({ kv, log: { ...createTestLog(kv), signers }, url: "" });
  const log: LogReader = {
    checkpoint: async () => (await files.checkpoint())!,
    checkpoints: () => files.checkpoints(),
    policy: () => files.policy(),
    tiles: (tiles) =>
      Promise.all(tiles.map(async ({ level, index, width }) => {
        const path = `tile/${level}/${String(index).padStart(3, "0")}.p/${width}`;
        const bytes = await files.tile(path);
        if (bytes === null) throw new ChainReadError("not_found", path);
        return bytes;
      })),
  };
  await addEntries(kv, ["earlier"]);
  await sequenceBatch(kv);
  await publisher.publish();
  return {
    kv,
    first,
    second,
    asked,
    wait: (ms: number) => now += ms,
    /** Resolves when the first witness's reply to the second tree is noted. */
    async firstHasReplied() {
      while ((await logWitnesses.get(kv, first.key.name)).value?.size !== 2) { /* not yet */ }
    },
    /** Stops waiting for witnesses. */
    losePatience: () => patience.abort(),
    settled: publisher.settled,
    grow: (name: string) => addEntries(kv, [name]),
    /** The sizes of the checkpoints that verifiers may choose from. */
    offered: async () => (await files.checkpoints()).map((text) => parseCheckpoint(text)!.size),
    async publish() {
      while (await sequenceBatch(kv).then((batch) => batch.ok && batch.more)) { /* the next one */ }
      const published = await publisher.publish();
      patience = new AbortController();
      return published;
    },
    start: () => chains.start(HASH),
    proof: async (from?: number) => {
      const { key, find } = proofs.source(HASH, from);
      return await (await find(1, await kv.get(key)))!.read();
    },
    /** Checks a proof by a policy, online or as in a file. */
    async check(proof: string, policy: PolicyName, where: "online" | "file") {
      const finding = await checkLog({
        origin: ORIGIN,
        statements: chainStatements(HASH, (await chains.page(HASH))!.events as LinkedEvent[]),
        proof,
        trust: { policy: policyOf(policy), memory: createMemory() },
        ...where === "online" && { log },
        asOf: now,
        now,
      });
      return { ...finding, tone: logSentence(finding).tone };
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

type Log = Awaited<ReturnType<typeof setup>>;

const respond = (status: number, body = "", headers = {}) => () =>
  Promise.resolve(new Response(body, { status, headers }));

/** The state of a witness that has countersigned nothing. */
const NEW = { size: 0, root: EMPTY_ROOT };

/** A line of an algorithm that nobody here knows. */
const unknownLine = (name: string) => `— ${name} ${btoa("\x01\x02\x03\x04" + "x".repeat(2_428))}\n`;

/**
 * The behaviour of the second witness when the record's entry is published, and when its line is there. The
 * function that `begin` returns is called half a minute later.
 */
const SCRIPTS: Record<
  string,
  { begin(log: Log): (() => unknown) | void; line: "at once" | "a minute" | "a week" }
> = {
  "is down for seconds": {
    line: "a minute",
    begin({ second }) {
      second.respond = () => Promise.reject(new TypeError("unreachable"));
      return () => delete second.respond;
    },
  },
  "is slower than the limit": {
    line: "a minute",
    begin({ second, firstHasReplied, losePatience, settled }) {
      const { submit } = second;
      const { promise, resolve } = Promise.withResolvers<void>();
      second.submit = async (...request) => {
        await firstHasReplied();
        losePatience();
        await promise;
        return await submit(...request);
      };
      return async () => {
        second.submit = submit;
        resolve();
        await settled();
      };
    },
  },
  "is added a week later": {
    line: "a week",
    begin({ asked, second }) {
      asked.pop();
      Object.assign(second, NEW);
    },
  },
  "does not know the log yet": {
    line: "a minute",
    begin({ second }) {
      second.respond = respond(404);
      return () => delete second.respond;
    },
  },
  "is behind": {
    line: "at once",
    begin({ second }) {
      // It has forgotten what it countersigned last, which the log assumes that it knows.
      Object.assign(second, NEW);
    },
  },
  "answers with lines of unknown algorithms, too": {
    line: "at once",
    begin({ second }) {
      const { submit } = second;
      second.submit = async (...request) => {
        const response = await submit(...request);
        const more = unknownLine(second.key.name) + unknownLine("stranger.example");
        return new Response(more + await response.text() + unknownLine("x"), response);
      };
    },
  },
};

const TIMES = ["at once", "a minute", "a week"] as const;

for (const [script, { begin, line }] of Object.entries(SCRIPTS)) {
  Deno.test(`a witness that ${script}: a proof satisfies each policy as soon as its line can be there`, async () => {
    for (const policy of Object.keys(POLICIES) as PolicyName[]) {
      using log = await setup(policy);
      const end = begin(log);
      await log.start();
      await log.publish();
      const file = await log.proof();
      for (const time of TIMES) {
        if (time === "a minute") {
          log.wait(30 * SECOND_MS);
          await end?.();
          log.wait(30 * SECOND_MS);
          await log.publish();
        } else if (time === "a week") {
          log.wait(7 * DAY_MS);
          if (!log.asked.includes(log.second)) log.asked.push(log.second);
          await addEntries(log.kv, ["later"]);
          await log.publish();
        }
        const isThere = policy === "any of two" || TIMES.indexOf(time) >= TIMES.indexOf(line);
        const expected = isThere ? "good" : "warning";
        const proof = await log.proof();
        for (const where of ["online", "file"] as const) {
          const { tone, fault } = await log.check(proof, policy, where);
          assertEquals([policy, time, where, tone], [policy, time, where, expected]);
          assertEquals(fault?.code, isThere ? undefined : "log_quorum");
        }
        // A file that was saved at once can be renewed.
        const saved = await log.check(file, policy, "online");
        assertEquals([policy, time, saved.tone], [policy, time, expected]);
        const renewed = await log.check(saved.renewed ?? file, policy, "file");
        assertEquals([policy, time, renewed.tone], [policy, time, expected]);
      }
      // A proof that was valid for the log's policy stays as it is, however the log grows.
      const last = await log.proof();
      await addEntries(log.kv, ["even later"]);
      await log.publish();
      assertEquals(await log.proof(), last);
    }
  });
}

Deno.test("a reader whose policy needs more than the log's own gets it online, from a renewed file, and by asking for a newer checkpoint", async () => {
  using log = await setup("any of two");
  log.second.respond = respond(500);
  await log.start();
  await log.publish();
  const proof = await log.proof();
  delete log.second.respond;
  await addEntries(log.kv, ["later"]);
  await log.publish();
  assertEquals(await log.proof(), proof); // it satisfies the log's policy
  assertEquals((await log.check(proof, "both", "file")).fault?.code, "log_quorum");
  const { tone, renewed, place, countersigned } = await log.check(proof, "both", "online");
  assertEquals([tone, place!.size, countersigned?.name], ["good", 3, "first"]);
  const again = await log.check(renewed!, "both", "online");
  assertEquals([again.tone, again.renewed], ["good", null]);
  assertEquals((await log.check(await log.proof(3), "both", "file")).tone, "good");
  assertEquals((await log.proof(3)).split("\n").slice(0, 2), renewed!.split("\n").slice(0, 2));
  // The log has no checkpoint of this size.
  assertEquals(await log.proof(99), proof);
  // A proof that satisfies the policy is not replaced.
  assertEquals((await log.check(proof, "any of two", "online")).renewed, null);
});

Deno.test("a quorum of both finds the first checkpoint that both have countersigned, not one of each", async () => {
  using log = await setup("both");
  await log.start();
  const [{ respond: _ }, fails] = [log.first, respond(500)];
  for (const [i, down] of [log.first, log.second, log.first, null, log.second].entries()) {
    for (const witness of log.asked) delete witness.respond;
    if (down !== null) down.respond = fails;
    await addEntries(log.kv, [`${i}`]);
    await log.publish();
  }
  const { checkpoint } = parseProof(await log.proof())!;
  assertEquals(checkpoint.split("\n")[1], "6"); // one earlier, the record, and four
  assertEquals((await log.check(await log.proof(), "both", "file")).tone, "good");
});

Deno.test("a witness that is ahead, or has another tree of the same size, halts the log, whatever the policy", async () => {
  const size = { "content-type": "text/x.tlog.size" };
  const cases: [reply: TestWitness["respond"], grown: boolean][] = [
    [respond(409, "99\n", size), true],
    [respond(422), true],
    [respond(422), false],
    [respond(409), false],
  ];
  for (const policy of Object.keys(POLICIES) as PolicyName[]) {
    for (const [reply, grown] of cases) {
      using log = await setup(policy);
      log.second.respond = reply;
      if (grown) await log.start();
      else log.wait(60 * MINUTE_MS); // the same size is published again
      assertEquals((await log.publish()).summary, "halted");
      const { value } = await logHalted.get(log.kv);
      assertEquals(value?.by, "second");
      assert(value!.checkpoint.startsWith(ORIGIN));
    }
  }
});

Deno.test("a reader who needs both witnesses gets a proof while one is down that was there between two outages", async () => {
  using log = await setup("any of two");
  const { first, second } = log;
  const down = () => Promise.reject(new TypeError("unreachable"));
  second.respond = down;
  await log.start();
  await log.publish();
  const proof = await log.proof();
  assertEquals((await log.check(proof, "both", "online")).fault?.code, "log_quorum");
  delete second.respond;
  await log.grow("between");
  await log.publish();
  first.respond = down;
  for (const name of ["later", "even later"]) {
    await log.grow(name);
    await log.publish();
  }
  // Size 2 has only a witness that size 3 has, too.
  assertEquals(await log.offered(), [5, 3]);
  const { fault, tone, place, renewed } = await log.check(proof, "both", "online");
  assertEquals([fault, tone, place!.size], [null, "good", 3]);
  assertEquals((await log.check(renewed!, "both", "file")).tone, "good");
});
