import { assertEquals, assertStringIncludes, fail } from "@std/assert";
import { HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import {
  formatSavedChain,
  generatePrivateJwk,
  headOrigin,
  importSigningKey,
  isProof,
  keySet,
  parseProof,
  parseSavedChain,
  signHead,
  verifyCheckpoint,
  verifyProof,
} from "../packages/proof/mod.ts";
import { makeSavedChain } from "../lib/features/chain/testing/fixtures.ts";
import { openSigningKey } from "../lib/features/chain/mod.ts";
import {
  followFor,
  HASH,
  testWatched,
  type Version,
  type WatchedLog,
  watchLog,
} from "./watched_log.ts";

/** Appends events, one per minute, and publishes each of them. */
async function append(log: WatchedLog, version: Version, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    log.wait(MINUTE_MS);
    await version.chains.append(HASH, "record_verified");
    await version.publish();
  }
}

/** Starts the record's chain, and lets the monitor see it. */
async function start(log: WatchedLog, events = 1): Promise<void> {
  await log.honest.chains.start(HASH);
  await log.honest.publish();
  await append(log, log.honest, events - 1);
  assertEquals(await log.faults(), []);
}

/** Runs a round, and returns the report of the first record. */
async function firstReport(log: WatchedLog) {
  const { findings, records: [report] } = await log.round();
  assertEquals(findings, []);
  return { ...report, faults: report.findings.map(({ fault }) => fault) };
}

testWatched(
  "every size of a saved chain is opened, and its times are those of the independent witness",
  async (log) => {
    await start(log);
    await append(log, log.honest, 1);
    assertEquals(await log.faults(), []);
    await append(log, log.honest, 1);
    await log.watch(await log.honest.save(HASH));
    log.watchRecord(HASH);
    const { records: [file, record] } = await log.round();
    assertEquals(
      [file.events, file.saved, file.opened, file.notes, file.findings],
      [3, 3, 3, [], []],
    );
    assertEquals([record.events, record.findings, record.entries], [3, [], file.entries]);
    assertEquals(
      file.entries.map(({ size, countersigned }) => [size, countersigned]),
      [0, 1, 2].map((minute) => [minute + 1, {
        at: `2026-03-01T00:0${minute}:00.000Z`,
        name: "other",
        own: false,
      }]),
    );
  },
);

testWatched(
  "a chain that has grown since it was saved is not a fault, but the report says so",
  async (log) => {
    await start(log, 2);
    await log.watch(await log.honest.save(HASH));
    await append(log, log.honest, 2);
    const { faults, notes, opened } = await firstReport(log);
    assertEquals([faults, notes, opened], [
      [],
      ["The file is not the newest chain: it has 2 events, and the log has 4."],
      2,
    ]);
  },
);

testWatched(
  "a saved chain without a proof is looked up, and not well once it should have one",
  async (log) => {
    await start(log, 2);
    await log.watch(await log.honest.save(HASH, { provenBy: null }));
    const { faults, notes, opened, entries } = await firstReport(log);
    assertEquals([faults, opened, entries.length], [[], null, 2]);
    assertEquals(notes, [
      "The file has no log_proof, so its entries cannot be opened. Save it again.",
    ]);
    log.wait(11 * MINUTE_MS);
    assertEquals(await log.faults(), ["log_missing"]);
  },
);

testWatched(
  "a chain that its publisher has rewritten does not open, and the evidence proves it",
  async (log) => {
    await start(log);
    const rewritten = await log.publisher.open({ from: log.honest });
    await append(log, log.honest, 2);
    log.wait(HOUR_MS);
    await append(log, rewritten, 2);
    await log.honest.publish();
    // Both readers have size 1, which is in the log.
    await log.watch(await rewritten.save(HASH, { provenBy: log.honest }));
    const { faults, findings: [{ message, evidence }], opened } = await firstReport(log);
    assertEquals([faults, opened], [["log_fork"], 1]);
    assertEquals(
      message,
      "The log has another chain than the file: sizes 2 to 3. This proves misconduct.",
    );
    // Whoever gets the evidence checks it without the monitor.
    const { origin, policy } = log.publisher;
    const parsed = parseSavedChain(evidence!["chain.json"]);
    const salt = parsed.ok && parseProof(String(parsed.chain.log_proof))!.extra;
    const [proof] = Object.keys(evidence!).filter((name) => name.endsWith(".proof"));
    const logged = evidence![proof.replace(".proof", ".hex")].trim();
    const expected = evidence!["expected.hex"].trim();
    assertEquals(logged.slice(0, 64), expected.slice(0, 64)); // one slot
    assertEquals(logged === expected, false);
    const entryOf = (extra: unknown) => {
      assertEquals(extra, salt);
      const bytes = Uint8Array.fromHex(logged);
      return { slot: bytes.slice(0, 32), commitment: bytes.slice(32) };
    };
    assertEquals((await verifyProof(evidence![proof], entryOf, policy, origin)).ok, true);
  },
);

testWatched(
  "another log for one reader is proved by that reader's file, whoever has countersigned it",
  async (log) => {
    const { publisher } = log;
    const twin = await publisher.openWitness("other", { from: publisher.independent });
    const other = await publisher.open({ from: log.honest, witnesses: [twin] });
    await start(log, 2);
    await other.chains.start(HASH);
    await other.publish();
    await log.watch(await other.save(HASH));
    const { findings, faults } = await firstReport(log);
    // The chain was signed with the publisher's key, and its log with the log's.
    assertEquals(faults, ["log_inconsistent", "log_fork"]);
    assertStringIncludes(
      findings[0].message,
      "countersigned by other, that the log does not extend",
    );
    assertEquals(isProof(JSON.parse(findings[0].evidence!["contradiction.json"])), true);
  },
);

testWatched(
  "two chains for two readers that share no logged size are both reported",
  async (log) => {
    await start(log);
    const branch = await log.publisher.open({ from: log.honest });
    const append = async (version: Version, logged: boolean, size: number) => {
      log.wait(MINUTE_MS);
      await version.chains.append(HASH, "record_verified");
      if (!logged) await version.withhold(HASH, size);
      await version.publish();
    };
    // One chain is logged at sizes 1 and 5, the other one at sizes 1 and 3.
    for (const size of [2, 3, 4, 5]) await append(log.honest, size === 5, size);
    for (const size of [2, 3]) await append(branch, size === 3, size);
    await log.honest.force(await branch.entry(HASH, 3));
    await log.honest.publish();
    // The newest size of each reader is in the one log that all of them see.
    const files = [await log.honest.save(HASH), await branch.save(HASH, { provenBy: log.honest })];
    for (const file of files) await log.watch(file);
    log.wait(11 * MINUTE_MS);
    const { findings, records } = await log.round();
    assertEquals(
      [
        findings,
        ...records.map(({ findings }) => findings.map(({ fault, message }) => [fault, message])),
      ],
      [
        [],
        [
          ["log_missing", "The log lacks sizes 2, 4 of the chain."],
          ["log_fork", "The log has another chain than the file: size 3. This proves misconduct."],
        ],
        [["log_missing", "The log lacks sizes 2, 4 of the chain."]],
      ],
    );
    // Without a file, the record's hash shows what is missing.
    log.watchRecord(HASH);
    assertEquals((await log.round()).records[2].findings[0].fault, "log_missing");
  },
);

testWatched(
  "a removed event is in the log, and a head that was signed again since proves it",
  async (log) => {
    await start(log, 2);
    const shortened = await log.publisher.open({ from: log.honest });
    await append(log, log.honest, 1);
    await log.faults();
    await log.watch(await shortened.save(HASH));
    const stale = await firstReport(log);
    assertEquals([stale.faults, stale.notes.length], [[], 1]);

    log.wait(HOUR_MS);
    await log.honest.publish();
    const { size, tip } = (await shortened.chains.head(HASH))!;
    const key = await openSigningKey(shortened.kv, log.publisher.chainKey);
    const at = new Date(log.clock()).toISOString();
    const origin = headOrigin(log.publisher.host, HASH);
    const head = await signHead({ origin, size, tip, at }, key);
    await log.watch(await shortened.save(HASH, { head }));
    const { records: [, { findings }] } = await log.round();
    assertEquals(findings.map(({ fault }) => fault), ["truncated"]);
  },
);

testWatched("an event that is logged an hour late is missing first, and late then", async (log) => {
  await start(log, 2);
  await log.honest.chains.append(HASH, "record_verified");
  const entry = await log.honest.entry(HASH, 3);
  await log.honest.withhold(HASH, 3);
  await log.watch(await log.honest.save(HASH));
  assertEquals((await firstReport(log)).notes, ["The log does not have size 3 yet."]);
  assertEquals(await followFor(log, 10), []);
  assertEquals(await followFor(log, 1), ["log_missing"]);
  log.wait(19 * MINUTE_MS);
  const half = log.clock();
  await log.honest.publish("another record");
  assertEquals(await log.faults(), ["log_missing"]);
  log.wait(30 * MINUTE_MS);
  await log.honest.force(entry);
  await log.honest.publish();
  const { findings: [{ fault, message, evidence }], opened } = await firstReport(log);
  assertEquals([fault, opened], ["log_late", 3]);
  // The independent witness said after half an hour that there was nothing more.
  const before = await verifyCheckpoint(
    evidence!["before.checkpoint"],
    log.publisher.policy,
    log.publisher.origin,
  );
  const { size, cosignatures } = before.ok ? before.checkpoint : fail();
  assertEquals([size, cosignatures[0].time * 1000], [5, half]);
  assertStringIncludes(message, "The event of size 3 states 2026-03-01T00:01:00.000Z, and the log");
  await log.restart();
  assertEquals(await log.faults(), ["log_late"]);
  // A monitor that begins now, or that did not look in between, does not know.
  await log.restart({ empty: true });
  assertEquals(await log.faults(), []);
});

testWatched(
  "an event is late whatever time a witness of the log's operator states",
  async (log) => {
    const { publisher } = log;
    const own = await publisher.openWitness("own", { own: true, lateBy: HOUR_MS });
    const version = await publisher.open({ witnesses: [publisher.independent, own] });
    await version.complete();
    const policy = {
      ...publisher.policy,
      witnesses: [...publisher.policy.witnesses, {
        name: "own",
        key: own.key,
        url: null,
        own: true,
      }],
    };
    log.show(version);
    log.ask(own.latest);
    await log.restart({ policy });
    await version.publish();
    assertEquals(await log.faults(), []);
    await version.chains.start(HASH);
    const entry = await version.entry(HASH, 1);
    await version.withhold(HASH, 1);
    assertEquals(await followFor(log, 12), []);
    await version.force(entry);
    await version.publish();
    await log.watch(await version.save(HASH));
    const { faults, entries: [{ countersigned }] } = await firstReport(log);
    assertEquals([faults, countersigned?.name], [["log_late"], "other"]);
    // Nobody else has countersigned it.
    await log.restart({ policy: { ...policy, witnesses: policy.witnesses.slice(1) } });
    const alone = await firstReport(log);
    assertEquals([alone.faults, alone.entries[0].countersigned], [["log_late"], {
      at: "2026-02-28T23:12:00.000Z",
      name: "own",
      own: true,
    }]);
  },
);

testWatched(
  "an event is not late if the log was not seen without it, or an independent witness has seen it in time",
  async (log) => {
    await start(log);
    // The monitor does not run for an hour.
    await append(log, log.honest, 1);
    await log.watch(await log.honest.save(HASH));
    log.wait(HOUR_MS);
    await log.honest.publish();
    assertEquals(await log.faults(), []);

    // The monitor is shown an old log, but the proof of the file was countersigned in time.
    const old = await log.publisher.open({ from: log.honest });
    await append(log, log.honest, 1);
    await log.watch(await log.honest.save(HASH));
    log.show(old);
    log.ask(() => Promise.resolve(null));
    log.wait(20 * MINUTE_MS);
    assertEquals(await log.faults(), ["log_withheld", "log_missing"]);
    log.show(log.honest);
    assertEquals(await log.faults(), []);
  },
);

Deno.test("events before the log was complete are neither missing nor late", async () => {
  await using log = await watchLog();
  const growing = await log.publisher.open();
  log.show(growing);
  log.ask(() => Promise.resolve(null)); // the witness knows the other log only
  await growing.chains.start(HASH);
  const entry = await growing.entry(HASH, 1);
  await growing.withhold(HASH, 1);
  await growing.publish("a");
  await log.watch(await growing.save(HASH));
  log.wait(30 * MINUTE_MS);
  assertEquals((await firstReport(log)).faults, []);
  await growing.force(entry);
  await growing.publish();
  await log.watch(await growing.save(HASH));
  assertEquals(await log.faults(), []);
  await growing.complete();
  await growing.publish();
  const { records } = await log.round();
  assertEquals(
    records.map(({ findings, opened }) => [findings.map(({ fault }) => fault), opened]),
    [[["log_missing"], null], [[], 1]], // the first file has no proof
  );
});

testWatched(
  "a chain that is signed by a key that is not in the log is reported after ten minutes",
  async (log) => {
    await start(log);
    const chainKey = await generatePrivateJwk();
    const other = await log.publisher.open({ from: log.honest, chainKey });
    await append(log, other, 1);
    await log.honest.force(await other.entry(HASH, 2));
    await log.honest.publish();
    await log.watch(await other.save(HASH, { provenBy: log.honest }));
    const { faults, notes: [note] } = await firstReport(log);
    const { kid } = await importSigningKey(chainKey);
    assertEquals([faults, note], [
      [],
      `The chain is signed by a key that is not in the log: ${kid}.`,
    ]);
    log.wait(11 * MINUTE_MS);
    assertEquals(await log.faults(), ["log_unknown"]);
  },
);

testWatched(
  "a file that somebody else has made or altered is not held against the publisher",
  async (log) => {
    await start(log, 2);
    const key = await importSigningKey(await generatePrivateJwk());
    const saved = await log.honest.save(HASH);
    const { size, tip } = (await log.honest.chains.head(HASH))!;
    const origin = headOrigin(log.publisher.host, HASH);
    const head = await signHead({ origin, size, tip, at: "2099-01-01T00:00:00.000Z" }, key);
    const [, log_proof] = /"log_proof":("[^"]+")/.exec(saved)!;
    const made = await makeSavedChain({ hash: HASH, publisher: log.publisher.host, length: 2 });
    const cases = [
      [
        formatSavedChain({ ...made, log_proof: JSON.parse(log_proof) }),
        "log_unknown",
        "log_inclusion",
      ],
      [saved.replace("record_verified", "document_viewed"), "bad_hash"],
      [saved.replaceAll(`${log.publisher.host}/${HASH}`, `other.example/${HASH}`), "bad_signature"],
      [await log.honest.save(HASH, { head, keys: keySet([key]).keys }), "log_unknown"],
      [saved.replace(/index \d+/, "index 0"), "log_inclusion"],
      [saved.replace("tlog-proof@v1", "tlog-proof@v2"), "log_malformed"],
      [saved.replace(HASH, "x"), "bad_input"],
      ["{}", "bad_input"],
    ];
    for (const [text] of cases) await log.watch(text);
    log.wait(11 * MINUTE_MS);
    const { findings, records } = await log.round();
    assertEquals(findings, []);
    assertEquals(
      records.map(({ findings }) => findings.map(({ fault }) => fault)),
      cases.map(([, ...faults]) => faults),
    );
  },
);

testWatched(
  "a file with a wrong log_salt does not open, which is not called a proof",
  async (log) => {
    await start(log, 2);
    const saved = await log.honest.save(HASH);
    const [, extra] = /extra ([^\\]+)/.exec(saved)!;
    await log.watch(saved.replace(extra, btoa("x".repeat(32))));
    const { faults, findings } = await firstReport(log);
    assertEquals(faults, ["log_inclusion", "log_fork"]);
    assertStringIncludes(findings[1].message, "it may also be that the file's log_salt is wrong");
  },
);

testWatched("evidence has neither the record nor its salt", async (log) => {
  await start(log);
  const saved = await log.honest.save(HASH, { provenBy: null });
  const own = saved.replace(
    "{",
    `{"record":{"email":"person@example.org"},"salt":"${"ab".repeat(32)}",`,
  );
  await log.watch(own.replace("hash_generated", "email_confirmed"));
  const { findings: [{ fault, evidence }] } = await firstReport(log);
  assertEquals([fault, Object.keys(evidence!)], ["bad_hash", ["chain.json"]]);
  assertEquals(/person@|abab/.test(evidence!["chain.json"]), false);
});

testWatched(
  "after a round that failed, a report says when the log was read, and nothing about a log that never was",
  async (log) => {
    await start(log, 2);
    const saved = await log.honest.save(HASH);
    await log.watch(saved);
    await log.watch(await log.honest.save(HASH, { provenBy: null }));
    log.watchRecord(HASH);
    assertEquals((await log.round()).records.map(({ notes }) => notes.length), [0, 1, 0]);
    const read = new Date(log.clock()).toISOString();
    log.wait(MINUTE_MS);
    const fork = await log.publisher.open();
    await fork.publish("x", "y", "z", "more");
    const stale = `The log could not be read now. This is about what it showed at ${read}.`;
    const unread = (path: string) => path === "checkpoint" ? null : new Uint8Array();
    for (const show of [() => log.show(log.honest, unread), () => log.show(fork)]) {
      show();
      const { findings, records } = await log.round();
      assertEquals(findings.length, 1);
      assertEquals(records.map(({ notes }) => notes[0]), [stale, stale, stale]);
      assertEquals(records.map(({ events }) => events), [2, 2, 2]);
    }
    log.show(log.honest, unread);
    await log.restart({ empty: true });
    const never = "Nothing of the log was read yet, so nothing is compared with it.";
    const { records } = await log.round();
    assertEquals(
      records.map(({ notes, findings, opened }) => [notes, findings, opened]),
      records.map(() => [[never], [], undefined]),
    );
  },
);
