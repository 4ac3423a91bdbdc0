/** A monitor that follows a lying publisher's log, for tests of what monitors report. */
import { join } from "node:path";
import type { LogCopy } from "../packages/proof/monitor/mod.ts";
import type { Policy } from "../packages/proof/mod.ts";
import {
  createMonitor,
  type Finding,
  openKept,
  type Round,
} from "../packages/proof/monitor/mod.ts";
import {
  createDishonestPublisher,
  type DishonestPublisher,
  type RunningWitness,
  type Version,
} from "./dishonest_publisher.ts";
import { MINUTE_MS } from "../lib/base/time.ts";

export const HASH = "c".repeat(64);

type Change = (path: string, bytes: Uint8Array<ArrayBuffer> | null) => typeof bytes;

/** A monitor with a clock of its own, and the publisher whose log it follows. */
export interface WatchedLog extends AsyncDisposable {
  publisher: DishonestPublisher;
  /** The version that the publisher shows first. The independent witness countersigns its log, which is complete. */
  honest: Version;
  /** The monitor's copy. */
  folder: string;
  clock: () => number;
  wait(ms: number): void;
  /** Shows the monitor the log of a version, with another content of some files. */
  show(version: Version, change?: Change): void;
  /** The witness whose monitoring path the monitor reads. Default: the independent one. */
  ask(read: () => Promise<string | null>): void;
  /** Offers keys to verifiers. Default: none. */
  offer(keys: readonly unknown[]): void;
  /** Saves a chain and lets the monitor check it from now on. Returns the file's path. */
  watch(text: string): Promise<string>;
  /** Lets the monitor check a record from now on. */
  watchRecord(hash: string): void;
  /** Starts the monitor again, with its copy or with an empty one. */
  restart(options?: { empty?: boolean; policy?: Policy }): Promise<void>;
  round(): Promise<Round>;
  findings(): Promise<Finding[]>;
  /** Runs a round, and returns the faults of the log and of all records. */
  faults(): Promise<string[]>;
}

/** @param options.quorum whether the monitor's policy needs the independent witness. Default: false */
export async function watchLog({ quorum = false } = {}): Promise<WatchedLog> {
  // Files are given this clock's time.
  let now = Date.parse("2026-03-01T00:00:00Z");
  const clock = () => now;
  const publisher = await createDishonestPublisher(clock);
  const { independent, origin } = publisher;
  const honest = await publisher.open({ witnesses: [independent] });
  await honest.complete();
  await honest.publish();
  const root = await Deno.makeTempDir();
  let folder = join(root, "copy 0");
  let source: LogCopy = honest.source;
  let readWitness = independent.latest;
  let published: readonly unknown[] = [];
  const records: string[] = [];
  let count = 0;
  const quorate = { ...publisher.policy, quorum: quorum ? "other" : null };
  const create = (policy: Policy = quorate) =>
    createMonitor({
      source: { read: (path) => source.read(path) },
      kept: openKept(folder),
      policy,
      origin,
      records,
      clock,
      readPublishedKeys: () => Promise.resolve(published),
      readWitness: () => readWitness(),
    });
  let monitor = await create();
  const log: WatchedLog = {
    publisher,
    honest,
    folder,
    clock,
    wait: (ms) => now += ms,
    show(version, change = (_, bytes) => bytes) {
      source = { read: async (path) => change(path, await version.source.read(path)) };
    },
    ask: (read) => readWitness = read,
    offer: (keys) => published = keys,
    async watch(text) {
      const path = join(root, `chain ${count++}.json`);
      await Deno.writeTextFile(path, text);
      await Deno.utime(path, now / 1000, now / 1000);
      records.push(path);
      return path;
    },
    watchRecord: (hash) => records.push(hash),
    async restart({ empty = false, policy } = {}) {
      if (empty) log.folder = folder = join(root, `copy ${++count}`);
      monitor = await create(policy);
    },
    round: () => monitor.round(),
    async findings() {
      const { findings, records } = await monitor.round();
      return [findings, ...records.map(({ findings }) => findings)].flat();
    },
    faults: async () => (await log.findings()).map(({ fault }) => fault),
    async [Symbol.asyncDispose]() {
      publisher[Symbol.dispose]();
      await Deno.remove(root, { recursive: true });
    },
  };
  return log;
}

/** Tests a monitor whose policy needs a countersignature, and one whose policy needs none. */
export function testWatched(title: string, run: (log: WatchedLog) => Promise<void>): void {
  for (const quorum of [false, true]) {
    Deno.test(`${title}, ${quorum ? "with" : "without"} a quorum`, async () => {
      await using log = await watchLog({ quorum });
      await run(log);
    });
  }
}

/** Lets a minute pass between rounds, as the command does. */
export async function followFor(log: WatchedLog, minutes: number): Promise<string[]> {
  const faults: string[] = [];
  for (let i = 0; i < minutes; i++) {
    log.wait(MINUTE_MS);
    faults.push(...await log.faults());
  }
  return faults;
}

export const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i}`);

export type { RunningWitness, Version };
