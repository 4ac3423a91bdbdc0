/**
 * Removes each check of the product's verifier in turn, and reports which removals the kit misses. A worker,
 * because each variant is imported, and an import takes the longer the more modules a thread has loaded.
 *
 * @module
 */
import { type Case, conformanceCases } from "./cases.ts";
import { mutantsOf } from "./mutants.ts";
import { judge } from "./report.ts";

/** The sources of the features and of what they use, with their folders in the copies. */
const FEATURES = new URL("../../", import.meta.url);
const BASE = new URL("../../../base/", import.meta.url);

/** The files that verify. Each check in them is removed. */
const VERIFIER = [
  "chain/verify.ts",
  "chain/head.ts",
  "chain/keys.ts",
  "chain/ed25519.ts",
  "chain/event.ts",
  "chain/publisher.ts",
  "chain/reader/strict_json.ts",
];

/** The files that they need. */
const OTHERS = ["chain/kinds.ts", "chain/hash.ts", "chain/event_hash.ts", "chain/zod.ts"];
const BASES = ["encoding.ts", "bytes.ts"];

/** Declarations in the verifier's files that do not take part in a verification. */
const NOT_VERIFYING = [
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
];

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

/** Returns a program for the kit that verifies with the modules in a folder. */
async function verifierIn(folder: string): Promise<(request: Request) => Promise<unknown>> {
  const load = (path: string) => import(`file://${folder}/features/chain/${path}`);
  const [chain, heads, keys, hashes, text] = await Promise.all(
    ["verify.ts", "head.ts", "keys.ts", "hash.ts", "reader/strict_json.ts"].map(load),
  );
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

/** Returns the first case that a verifier fails. */
async function firstFailure(
  cases: readonly Case[],
  verify: (request: Request) => Promise<unknown>,
): Promise<string | null> {
  for (const each of cases) {
    const response = await verify(JSON.parse(each.line)).catch(() => ({}));
    const responses = new Map([[each.id, response as Record<string, unknown>]]);
    if (!judge([each], responses)[0].passed) return each.title;
  }
  return null;
}

const sources = new Map(
  await Promise.all(
    [
      ...[...VERIFIER, ...OTHERS].map((path) => [`features/${path}`, new URL(path, FEATURES)]),
      ...BASES.map((path) => [`base/${path}`, new URL(path, BASE)]),
    ].map(async ([path, url]) => [path as string, await Deno.readTextFile(url)] as const),
  ),
);

/** Writes the verifier into a new folder, with one file changed. */
async function writeVerifier(folder: string, changed: string, source: string): Promise<void> {
  await Deno.mkdir(`${folder}/features/chain/reader`, { recursive: true });
  await Deno.mkdir(`${folder}/base`);
  await Promise.all(
    [...sources].map(([path, text]) =>
      Deno.writeTextFile(`${folder}/${path}`, path === `features/${changed}` ? source : text)
    ),
  );
}

/** Tries the unchanged verifier, and then each variant of it. */
async function tryMutants(): Promise<MutantReport> {
  const root = await Deno.makeTempDir({ prefix: "mutants-" });
  try {
    const cases = await conformanceCases();
    await writeVerifier(`${root}/whole`, "", "");
    const failure = await firstFailure(cases, await verifierIn(`${root}/whole`));
    const mutants = VERIFIER.flatMap((file) =>
      mutantsOf(sources.get(`features/${file}`)!, NOT_VERIFYING).map((mutant) => ({
        ...mutant,
        file,
      }))
    );
    const missed: string[] = [];
    for (const [i, { file, removed, source }] of mutants.entries()) {
      const folder = `${root}/${i}`;
      await writeVerifier(folder, file, source);
      const noticed = await firstFailure(cases, await verifierIn(folder));
      if (noticed === null) missed.push(`${file} ${removed}`);
    }
    return { failure, mutants: mutants.length, missed: missed.sort() };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

self.postMessage(await tryMutants());
