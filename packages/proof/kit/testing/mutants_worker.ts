/**
 * Removes each check of a part of the product's verifier in turn, and makes some mistakes, and reports which of
 * them the kit misses.
 * The name of the worker is that of the part. A worker, because it replaces functions of WebCrypto.
 *
 * @module
 */
import { type Case, conformanceCases } from "../cases.ts";
import { answerChain, type ChainModules } from "./chain_program.ts";
import { answerLog, type LogModules } from "./log_program.ts";
import { mutantsOf } from "./mutants.ts";
import { judge } from "../report.ts";
import { type Load, Modules } from "./variants.ts";

/** The repository, whose paths the copies have too. */
const ROOT = new URL("../../../../", import.meta.url);
const PROOF = "packages/proof";

/** A part of the verifier whose checks are removed. */
interface Part {
  /** The files that verify, below the package. Each check in them is removed. */
  verifying: readonly string[];
  /** The files that they need, below the package. */
  others: readonly string[];
  /** The files that they need below `lib/base`. */
  bases: readonly string[];
  /** Files that are replaced in the copies, because the originals need many more. */
  replaced?: Readonly<Record<string, string>>;
  /** Mistakes besides a check that is missing: the file below the package, its code, and what it becomes. */
  mistakes: readonly (readonly [file: string, code: string, becomes: string])[];
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
    mistakes: [
      ["chain/event_hash.ts", "${DOMAINS[domain]}\\0`", "${DOMAINS[domain]}`"],
      ["chain/event_hash.ts", '("event", decodeHex(prev)', '("event", utf8(prev)'],
      ["chain/hash.ts", '("record", salt,', '("record", utf8(salt.toHex()),'],
      ["chain/hash.ts", "return utf8(text);", 'return utf8(text.normalize("NFC"));'],
      ["chain/hash.ts", "canonicalize(value)", "JSON.stringify(value)"],
      ["chain/head.ts", 'withDomain("head"', 'withDomain("event"'],
      ["chain/head.ts", "await thumbprint(jwk.data) === kid", "candidate.kid === kid"],
      ["chain/head.ts", "(keys) ? keys : []", "(keys) ? keys.slice(0, 1) : []"],
      ["chain/verify.ts", "if (seq === 0) prev = recordHash;", ""],
      [
        "chain/verify.ts",
        "candidate of events",
        "candidate of events.toSorted((a, b) => a?.seq - b?.seq)",
      ],
      ["chain/verify.ts", "signedSize: size", "signedSize: chain.size"],
      ["chain/kinds.ts", "  access_requested: {", "  access_wanted: {"],
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
      "verify/check_log.ts",
    ],
    others: [
      "log/mod.ts",
      "log/entries.ts",
      "log/tiles.ts",
      "verify/compare.ts",
      "verify/memory.ts",
      "verify/statements.ts",
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
    mistakes: [
      ["log/entries.ts", 'bytesOf("entry", fixed(salt), ', 'bytesOf("entry", '],
      ["log/entries.ts", "new Uint8Array(8);", "new Uint8Array(9);"],
      ["log/entries.ts", "${DOMAINS[domain]}\\0`", "${DOMAINS[domain]}`"],
      ["log/entries.ts", "withdrawn: 2", "withdrawn: 1"],
      ["log/merkle.ts", "LEAF = Uint8Array.of(0)", "LEAF = Uint8Array.of(1)"],
      ["log/verify.ts", "Math.min(...times)", "Math.max(...times)"],
      ["log/policy.ts", ".length >= group.threshold", ".length > 0"],
      ["log/tiles.ts", "width === TILE_WIDTH ?", "true ?"],
      ["verify/check_log.ts", "Math.abs(asOf - Date.parse(at))", "(asOf - Date.parse(at))"],
      ["verify/check_log.ts", "< LOG_DELAY_MS);", "< Infinity);"],
      ["verify/check_log.ts", "statements.slice(logged).every", "statements.slice(-1).every"],
    ],
    isCase: (op) => op.startsWith("log_"),
    program(load) {
      const [core, check, statements, memory] = [
        ...["log/mod.ts", "verify/check_log.ts", "verify/statements.ts", "verify/memory.ts"],
      ].map((path) => load(`${PROOF}/${path}`)) as [LogModules["core"], ...object[]];
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
  const chain: ChainModules = Object.assign(
    {},
    ...["verify.ts", "head.ts", "keys.ts", "hash.ts", "reader/strict_json.ts"]
      .map((path) => load(`${PROOF}/chain/${path}`)),
  );
  return (request) => answerChain(chain, request);
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
  const paths = [
    ...[...verifying, ...others].map((path) => `${PROOF}/${path}`),
    ...bases.map((path) => `lib/base/${path}`),
  ];
  const read = await Promise.all(
    paths.map(async (path) => [path, await Deno.readTextFile(new URL(path, ROOT))] as const),
  );
  const replacements = Object.entries(replaced).map(([path, text]) =>
    [`${PROOF}/${path}`, text] as const
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
    const path = `${PROOF}/${file}`;
    for (const { removed, source } of mutantsOf(sources.get(path)!, part.notVerifying)) {
      mutants++;
      const verify = part.program(modules.variant({ path, source }));
      if (await firstFailure(cases, verify) === null) missed.push(`${file} ${removed}`);
    }
  }
  for (const [file, code, becomes] of part.mistakes) {
    const path = `${PROOF}/${file}`;
    const source = sources.get(path)!.replace(code, () => becomes);
    if (source === sources.get(path)) throw new Error(`${file} has no ${code}`);
    const verify = part.program(modules.variant({ path, source }));
    if (await firstFailure(cases, verify) === null) missed.push(`${file} mistake ${becomes}`);
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
