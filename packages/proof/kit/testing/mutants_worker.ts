/**
 * Removes each check of a part of the product's verifier in turn, and reports which removals the kit misses.
 * The name of the worker is that of the part. A worker, because it replaces functions of WebCrypto.
 *
 * @module
 */
import { type Case, conformanceCases } from "../cases.ts";
import { answerLog, type LogModules } from "./log_program.ts";
import { mutantsOf } from "./mutants.ts";
import { judge } from "../report.ts";
import { type Load, Modules } from "./variants.ts";

/** The sources of the features and of what they use, with their folders in the copies. */
const FEATURES = new URL("../../../../lib/features/", import.meta.url);
const BASE = new URL("../../../../lib/base/", import.meta.url);

/** A part of the verifier whose checks are removed. */
interface Part {
  /** The files that verify, below the features. Each check in them is removed. */
  verifying: readonly string[];
  /** The files that they need. */
  others: readonly string[];
  /** The files that they need below `base`. */
  bases: readonly string[];
  /** Files that are replaced in the copies, because the originals need many more. */
  replaced?: Readonly<Record<string, string>>;
  /** Declarations in the files that do not take part in a verification. */
  notVerifying: readonly string[];
  /** Returns whether a case is about this part. */
  isCase(op: string): boolean;
  /**
   * Returns a program for the kit that verifies with a variant of the modules.
   *
   * @param load returns a module of the variant
   */
  program(load: Load): (request: Request) => Promise<unknown>;
}

const PARTS: Readonly<Record<string, Part>> = {
  chain: {
    verifying: [
      "chain/verify.ts",
      "chain/head.ts",
      "chain/keys.ts",
      "chain/ed25519.ts",
      "chain/event.ts",
      "chain/publisher.ts",
      "chain/reader/strict_json.ts",
    ],
    others: ["chain/kinds.ts", "chain/hash.ts", "chain/event_hash.ts", "chain/zod.ts"],
    bases: ["encoding.ts", "bytes.ts", "pasted.ts"],
    notVerifying: [
      "signHead",
      "generatePrivateJwk",
      "privateJwkSchema",
      "importSigningKey",
      "keySetSchema",
      "keySet",
      "verifierSupport",
      "findHash",
      "HASH_IN_TEXT",
      "isHash",
      "isPublisher",
      "PATTERN",
    ],
    isCase: (op) => !op.startsWith("log_"),
    program: chainVerifierIn,
  },
  log: {
    verifying: [
      "log/verify.ts",
      "log/proof.ts",
      "log/checkpoint.ts",
      "log/note.ts",
      "log/policy.ts",
      "log/merkle.ts",
      "verifier/check_log.ts",
    ],
    others: [
      "log/core.ts",
      "log/entries.ts",
      "log/tiles.ts",
      "verifier/compare.ts",
      "verifier/memory.ts",
      "verifier/statements.ts",
      "chain/ed25519.ts",
    ],
    bases: ["encoding.ts", "bytes.ts", "result.ts", "time.ts", "urls.ts"],
    replaced: {
      "chain/mod.ts": "export const canonicalBytes = () => new Uint8Array();\n" +
        'export { isAllowedPoint } from "./ed25519.ts";\n' +
        "export class ChainReadError extends Error {}\n",
      // The kit has no witness with such a key.
      "log/ml_dsa.ts": "export const isMlDsaCosignature = () => false;\n",
    },
    notVerifying: [
      "createSigner",
      "verifierKey",
      "appendLeaf",
      "rootOf",
      "subtreesOf",
      "inclusionSteps",
      "consistencySteps",
      "largestPowerBelow",
      // They read logs and remember them, which the kit does not ask for.
      "checkLog",
      "keysOf",
      "suggestedKeys",
      "earliest",
      "accept",
      "isBetter",
      "renew",
      "isQuorate",
      "compare",
      "remember",
      "staleSince",
    ],
    isCase: (op) => op.startsWith("log_"),
    program(load) {
      const [core, check, statements, memory] = [
        ...["log/core.ts", "verifier/check_log.ts", "verifier/statements.ts", "verifier/memory.ts"],
      ].map((path) => load(`features/${path}`)) as [LogModules["core"], ...object[]];
      const verifier = { ...check, ...statements, ...memory } as LogModules["verifier"];
      return (request) => answerLog({ core, verifier }, request);
    },
  },
};

/** The findings of the worker. */
export interface MutantReport {
  /** The first case that the unchanged verifier fails; null if it passes all. */
  failure: string | null;
  /** How many checks were removed, each in a variant of its own. */
  mutants: number;
  /** The removals that no case noticed: the file, the kind of check and its text. */
  missed: string[];
}

type Request = Record<string, unknown> & { op: string };

function chainVerifierIn(load: Load): (request: Request) => Promise<unknown> {
  const [chain, heads, keys, hashes, text] = [
    ...["verify.ts", "head.ts", "keys.ts", "hash.ts", "reader/strict_json.ts"],
  ].map((path) => load(`features/chain/${path}`));
  const verifyChain = async (request: Request) => {
    const { head, events, recordHash } = request;
    const result = head === undefined
      ? await chain.verifyEvents(recordHash, events)
      : await chain.verifyChain(request);
    return { ...result, covered: result.signedSize };
  };
  return async (request) => {
    const { salt, record, prev, event, key, head, publisher, recordHash, start, events } =
      // deno-lint-ignore no-explicit-any -- requests of all operations
      request as any;
    switch (request.op) {
      case "record_hash":
        return { hash: await hashes.recordHash(Uint8Array.fromHex(salt), record) };
      case "event_hash":
        return { hash: await hashes.eventHash(prev, event) };
      case "key_id":
        return { kid: await keys.thumbprint(key) };
      case "verify_head": {
        const result = await heads.verifyHead(head, request.keys);
        const origin = heads.headOrigin(publisher, recordHash);
        if (!result.ok || result.head.origin === origin) return result;
        return { ok: false, code: "bad_origin" };
      }
      case "verify_chain":
        return await verifyChain(request);
      case "verify_part":
        return await chain.verifyEvents(recordHash, events, start);
      case "verify_text": {
        let parsed;
        try {
          parsed = text.parseStrictJson(request.text);
        } catch {
          return { ok: false, code: "bad_input", seq: 0 };
        }
        return await verifyChain({ ...request, ...parsed });
      }
    }
  };
}

/**
 * Returns the first case that a verifier fails, and moves it to the front: the cases that cover a check often
 * cover the next one too.
 */
async function firstFailure(
  cases: Case[],
  verify: (request: Request) => Promise<unknown>,
): Promise<string | null> {
  for (const [i, each] of cases.entries()) {
    const response = await verify(JSON.parse(each.line)).catch(() => ({}));
    const responses = new Map([[each.id, response as Record<string, unknown>]]);
    if (judge([each], responses)[0].passed) continue;
    cases.unshift(...cases.splice(i, 1));
    return each.title;
  }
  return null;
}

/** Reads the sources of a part, by their place in a copy. */
async function sourcesOf({ verifying, others, bases, replaced = {} }: Part) {
  const files = [
    ...[...verifying, ...others].map((path) => [`features/${path}`, new URL(path, FEATURES)]),
    ...bases.map((path) => [`base/${path}`, new URL(path, BASE)]),
  ] as [string, URL][];
  const read = await Promise.all(
    files.map(async ([path, url]) => [path, await Deno.readTextFile(url)] as const),
  );
  const replacements = Object.entries(replaced).map(([path, text]) =>
    [`features/${path}`, text] as const
  );
  return new Map([...read, ...replacements]);
}

/** Tries the unchanged verifier, and then each variant of it. */
async function tryMutants(part: Part): Promise<MutantReport> {
  const sources = await sourcesOf(part);
  const modules = await Modules.of(sources);
  const cases = (await conformanceCases()).filter(({ line }) => part.isCase(JSON.parse(line).op));
  const failure = await firstFailure(cases, part.program(modules.variant()));
  const missed: string[] = [];
  let mutants = 0;
  for (const file of part.verifying) {
    const path = `features/${file}`;
    for (const { removed, source } of mutantsOf(sources.get(path)!, part.notVerifying)) {
      mutants++;
      const verify = part.program(modules.variant({ path, source }));
      if (await firstFailure(cases, verify) === null) missed.push(`${file} ${removed}`);
    }
  }
  return { failure, mutants, missed: missed.sort() };
}

/**
 * Remembers the platform's results for keys and signatures: all variants verify the same ones, and that takes
 * most of the time.
 */
function rememberSignatures(): void {
  const { subtle } = crypto;
  const [importKey, verify] = [subtle.importKey.bind(subtle), subtle.verify.bind(subtle)];
  const names = new WeakMap<CryptoKey, string>();
  const keys = new Map<string, Promise<CryptoKey>>();
  const results = new Map<string, Promise<boolean>>();
  const hex = (bytes: BufferSource) => new Uint8Array(bytes as ArrayBuffer).toHex();
  Object.assign(subtle, {
    async importKey(...args: Parameters<typeof importKey>) {
      const [format, data, ...rest] = args;
      const material = format === "raw" ? hex(data as BufferSource) : data;
      const name = JSON.stringify([format, material, ...rest]);
      const imported = keys.get(name) ?? importKey(...args);
      keys.set(name, imported);
      const key = await imported;
      names.set(key, name);
      return key;
    },
    verify(...args: Parameters<typeof verify>) {
      const [, key, signature, message] = args;
      const name = `${names.get(key)} ${hex(signature)} ${hex(message)}`;
      const result = results.get(name) ?? verify(...args);
      results.set(name, result);
      return result;
    },
  });
}

rememberSignatures();
self.postMessage(await tryMutants(PARTS[self.name]));
