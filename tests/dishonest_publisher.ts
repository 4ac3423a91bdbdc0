/** A publisher that lies, for tests of what verifiers, witnesses and monitors detect. */
import {
  createSigner,
  entryBytes,
  eventEntry,
  eventSlot,
  formatSavedChain,
  formatVerifierKey,
  generatePrivateJwk,
  type Head,
  isIncluded,
  KEYS_PATH,
  type KeySet,
  leafHash,
  type LinkedEvent,
  LOG_KEY,
  type LogEntry,
  type NoteSigner,
  parseCheckpoint,
  parsePolicy,
  parseProof,
  type Policy,
  type PrivateJwk,
  WITNESS_KEY,
} from "../packages/proof/mod.ts";
import { chainEvents, createChains } from "../lib/features/chain/mod.ts";
import type { Witness } from "../lib/features/log/mod.ts";
import type { LogCopy } from "../packages/proof/monitor/mod.ts";
import { createAddEvent } from "../lib/features/log/store/chains.ts";
import { createAddKeys } from "../lib/features/log/store/key_sets.ts";
import { completeLog } from "../lib/features/log/store/complete.ts";
import { LANES, putPending } from "../lib/features/log/store/pending.ts";
import { createLogProofs, type LogProofs } from "../lib/features/log/store/proofs.ts";
import { sequenceBatch } from "../lib/features/log/store/sequence.ts";
import { createLogFiles } from "../lib/features/log/store/serve.ts";
import { logChains } from "../lib/features/log/store/tables.ts";
import {
  addEntries,
  createTestLog,
  createTestPublisher,
} from "../lib/features/log/testing/fixtures.ts";
import { createWitnessHandler } from "../lib/features/witness/server.ts";
import { createWitness } from "../lib/features/witness/witness.ts";
import { originHash } from "../lib/features/witness/rows.ts";
import { encodeHex, utf8 } from "../lib/base/bytes.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";

/**
 * A publisher who has its real keys and runs the product's own code, but keeps several stores: each has other
 * chains and another log, and every reader can be shown another one.
 */
export interface DishonestPublisher extends Disposable {
  host: string;
  origin: string;
  /** The key of the log. */
  signer: NoteSigner;
  /** The key of the chains. */
  chainKey: PrivateJwk;
  /** A witness that somebody else runs. */
  independent: RunningWitness;
  /** A reader's policy that knows the log's key and the independent witness. */
  policy: Policy;
  /**
   * Opens another store. Its log is signed with the same key.
   *
   * @param options.from the store of which it is a copy. Default: it is empty
   * @param options.witnesses who countersigns. Default: nobody
   * @param options.signer another key of the log
   * @param options.chainKey another key of the chains
   */
  open(options?: {
    from?: Version;
    witnesses?: readonly RunningWitness[];
    signer?: NoteSigner;
    chainKey?: PrivateJwk;
  }): Promise<Version>;
  /** Starts a witness. */
  openWitness(
    name: string,
    options?: WitnessOptions,
  ): Promise<RunningWitness>;
}

interface WitnessOptions {
  /** True if the publisher runs it. */
  own?: boolean;
  /** A witness that has the same key, and a copy of whose store it begins with. */
  from?: RunningWitness;
  /** How many milliseconds its clock is late. */
  lateBy?: number;
}

/** A witness that runs the product's code. */
export interface RunningWitness extends Witness {
  kv: Deno.Kv;
  signer: NoteSigner;
  /** Returns what it has countersigned last. */
  latest(): Promise<string | null>;
}

/** One store of the publisher, with its chains and its log. */
export interface Version {
  kv: Deno.Kv;
  chains: ReturnType<typeof createChains>;
  /** The files of its log. */
  source: LogCopy;
  proofs: LogProofs;
  /** Adds entries of other records, logs everything that is pending, and publishes. */
  publish(...names: string[]): Promise<void>;
  /** Says in the log that everything older is in it. */
  complete(): Promise<void>;
  /** Adds entries to the log, whatever it has already. */
  force(...entries: LogEntry[]): Promise<void>;
  /** Removes an entry that is not logged yet. */
  withhold(record: string, size: number): Promise<void>;
  /** Returns the saved chain of a record, as readers get it. */
  save(record: string, changes?: SavedChanges): Promise<string>;
  entry(record: string, size: number): Promise<LogEntry>;
}

interface SavedChanges {
  head?: Head;
  keys?: KeySet["keys"];
  events?: LinkedEvent[];
  /** The store whose log proves the chain. Default: this one; null for a file without a proof. */
  provenBy?: Version | null;
}

export async function createDishonestPublisher(
  clock: () => number,
  host = "trust.example",
): Promise<DishonestPublisher> {
  const origin = `${host}/log`;
  const signer = await createSigner(origin, LOG_KEY, await generatePrivateJwk());
  const chainJwk = await generatePrivateJwk();
  const opened: Deno.Kv[] = [];

  async function openStore(from?: Deno.Kv): Promise<Deno.Kv> {
    const kv = limitKv(await openKv(":memory:"));
    opened.push(kv);
    for await (const { key, value } of from?.list({ prefix: [] }) ?? []) await kv.set(key, value);
    return kv;
  }

  async function openWitness(
    name: string,
    { own = false, from, lateBy = 0 }: WitnessOptions = {},
  ): Promise<RunningWitness> {
    const kv = await openStore(from?.kv);
    const key = from?.signer ??
      await createSigner(`${name}.example`, WITNESS_KEY, await generatePrivateJwk());
    const limits = { growth: 0, requests: 0 };
    const logs = () => Promise.resolve([{ key: signer.key, url: null }]);
    const witness = createWitness({ kv, signer: key, logs, clock: () => clock() - lateBy, limits });
    const handler = createWitnessHandler(witness, { url: () => "", trustProxy: 0, log: () => {} });
    const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 } as const;
    return {
      name,
      key: key.key,
      url: null,
      own,
      kv,
      signer: key,
      submit: async (body) => {
        const request = new Request("http://witness/add-checkpoint", { method: "POST", body });
        return await handler(request, { remoteAddr, completed: Promise.resolve() });
      },
      latest: () => witness.latest(originHash(origin)),
    };
  }

  async function open(
    { from, witnesses = [], signer: logSigner = signer, chainKey = chainJwk }: {
      from?: Version;
      witnesses?: readonly RunningWitness[];
      signer?: NoteSigner;
      chainKey?: PrivateJwk;
    } = {},
  ): Promise<Version> {
    const kv = await openStore(from?.kv);
    const signers = () => Promise.resolve([logSigner]);
    const publisher = await createTestPublisher(kv, {
      clock,
      origin,
      signers,
      witnesses: () => Promise.resolve([...witnesses]),
    });
    const files = createLogFiles({ kv, log: { ...createTestLog(kv), signers }, url: "" });
    const chains = createChains({
      kv,
      clock,
      publisher: host,
      signingKey: chainKey,
      addToEvent: createAddEvent({ kv, clock, committed: () => {} }),
      addToKeys: createAddKeys({ kv, clock }),
    });
    const version: Version = {
      kv,
      chains,
      source: { read: (path) => readLogFile(files, path) },
      proofs: createLogProofs({ kv, signers, witnesses: () => Promise.resolve([...witnesses]) }),
      async publish(...names) {
        if (names.length > 0) await addEntries(kv, names, { now: clock() });
        while (await sequenceBatch(kv).then((batch) => batch.ok && batch.more)) {
          /* the next one */
        }
        await publisher.publish();
      },
      complete: () => completeLog(kv),
      async force(...entries) {
        const commit = kv.atomic();
        putPending(commit, entries, LANES.live, clock());
        await commit.commit();
      },
      async withhold(record, size) {
        const slot = encodeHex(eventSlot(record, size));
        for await (const { key } of kv.list({ prefix: ["log_pending"] })) {
          if (key.at(-1) === slot) await kv.delete(key);
        }
      },
      async entry(record, size) {
        const { value: event } = await chainEvents.get(kv, record, size - 1);
        const { value: chain } = await logChains.get(kv, record);
        return eventEntry({ record, size, tip: event!.hash, salt: chain!.salt });
      },
      async save(record, { provenBy = version, ...changes } = {}) {
        const events = await Array.fromAsync(chainEvents.list(kv, [record]), ({ value }) => value);
        const head = await chains.head(record);
        const { keys } = await chains.keys();
        const log_proof = provenBy === null
          ? undefined
          : await proofIn(provenBy.proofs, version, record, events.length);
        return formatSavedChain({
          hash: record,
          publisher: host,
          head,
          keys,
          events,
          log_proof,
          ...changes,
        });
      },
    };
    return version;
  }

  const independent = await openWitness("other");
  const [log, other] = [signer, independent].map(({ key }) => formatVerifierKey(key));
  return {
    host,
    origin,
    signer,
    chainKey: chainJwk,
    independent,
    policy: parsePolicy(`log ${log}\nwitness other ${other}\nquorum none\n`),
    open,
    openWitness,
    [Symbol.dispose]: () => opened.forEach((kv) => kv.close()),
  };
}

/** Returns a file of a log as its site serves it. */
async function readLogFile(files: ReturnType<typeof createLogFiles>, path: string) {
  if (path === "checkpoint" || path === "policy") {
    const text = await files[path]();
    return text === null ? null : utf8(text);
  }
  const bytes = path.startsWith("keys/")
    ? await files.keySet(path.slice("keys/".length))
    : await files.tile(path);
  return bytes && new Uint8Array(bytes);
}

/** Returns the proof of the largest size of a chain that the log of a store has with the chain's own commitment. */
async function proofIn(
  proofs: LogProofs,
  version: Version,
  record: string,
  events: number,
): Promise<string | undefined> {
  const { value: chain } = await logChains.get(version.kv, record);
  for (let size = events; size > 0; size--) {
    const entry = await version.entry(record, size);
    const [text] = await proofs.ofEntries([entry], chain!.salt);
    if (text === null) continue;
    const { index, hashes, checkpoint } = parseProof(text)!;
    const tree = parseCheckpoint(checkpoint)!;
    const leaf = leafHash(entryBytes(entry));
    if (isIncluded({ ...tree, index, leaf, proof: hashes })) return text;
  }
}

/** Serves the log and the keys of a version over HTTP as its site does, and notes which paths were requested. */
export function serveLog() {
  const requests: string[] = [];
  let shown: Version | undefined;
  const server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    requests.push(pathname + search);
    const headers = { "access-control-allow-origin": "*" };
    if (pathname === KEYS_PATH) return Response.json(await shown!.chains.keys(), { headers });
    const [, path] = /^\/log\/(.+)$/.exec(pathname) ?? [];
    const body = path === undefined ? null : await shown!.source.read(path);
    return body === null
      ? new Response("", { status: 404, headers })
      : new Response(body, { headers });
  });
  return {
    host: `trust.localhost:${server.addr.port}`,
    requests,
    show: (version: Version) => shown = version,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
