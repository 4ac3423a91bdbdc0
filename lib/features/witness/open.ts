/** The startup of a witness: opens its key, and checks that its store was neither lost nor restored. */
import { SECOND_MS } from "../../base/time.ts";
import { ConfigError } from "../../platform/config/error.ts";
import { transact } from "../../platform/kv/mod.ts";
import { readChunks } from "../../platform/http/body.ts";
import {
  createSigner,
  formatVerifierKey,
  generatePrivateJwk,
  importSigningKey,
  MAX_NOTE_BYTES,
  type NoteSigner,
  type PolicyLog,
  type PrivateJwk,
  WITNESS_KEY,
} from "../../../packages/proof/mod.ts";
import { IDENTITY_KEY, type IdentityRow } from "./rows.ts";
import type { Witness } from "./witness.ts";

interface Identity {
  /** The name of the key, such as the host under which the witness is reached. */
  name: string;
  /** If undefined, a key is generated and kept in the store, so that whoever loses one loses both. */
  configured: PrivateJwk | undefined;
  /** True if the configured key may never have been used with this store. */
  isNewKey: boolean;
}

/**
 * Opens the key of a witness. A store belongs to one key and one name: a key that continued with another
 * store could countersign a tree that does not extend what it has countersigned before.
 *
 * @throws {ConfigError} (rejects) if the store belongs to another key or name, or does not know the
 * configured key
 */
export async function openSigner(
  kv: Deno.Kv,
  { name, configured, isNewKey }: Identity,
): Promise<NoteSigner> {
  if (configured !== undefined) await importSigningKey(configured).catch(() => refuseKey());
  return await transact(async () => {
    const entry = await kv.get<IdentityRow>(IDENTITY_KEY);
    if (entry.value !== null) {
      const known = entry.value;
      const jwk = configured ?? known.jwk as PrivateJwk | null ??
        refuse(
          "WITNESS_SIGNING_KEY: should be set, because this store belongs to a configured key",
        );
      const signer = await createSigner(name, WITNESS_KEY, jwk);
      if (formatVerifierKey(signer.key) === known.vkey) return { result: signer };
      return refuse(
        `WITNESS_KV_PATH: should be an empty store, because this one belongs to ${known.vkey}`,
      );
    }
    for await (const { key } of kv.list({ prefix: [] }, { limit: 1 })) {
      // Another process has just written it, so the commit below fails and this begins again.
      if (key[0] === IDENTITY_KEY[0]) break;
      refuse(
        "WITNESS_KV_PATH: should be an empty store or a witness's, because this one has other rows",
      );
    }
    if (configured !== undefined && !isNewKey) {
      return refuse(
        "WITNESS_KV_PATH: should be the store of this key. If the key has signed nothing yet, set " +
          "ALLOW_EMPTY_STORE=1 (--new-key); if the store is lost, choose a new key and a new name",
      );
    }
    const jwk = configured ?? await generatePrivateJwk();
    const result = await createSigner(name, WITNESS_KEY, jwk);
    const row: IdentityRow = {
      vkey: formatVerifierKey(result.key),
      jwk: configured === undefined ? jwk : null,
    };
    return { result, commit: kv.atomic().check(entry).set(IDENTITY_KEY, row) };
  });
}

function refuse(line: string): never {
  throw new ConfigError([line]);
}

const refuseKey = () => refuse("WITNESS_SIGNING_KEY: should be a key whose x matches its d");

/** Returns the name that a store's key has; null for an empty store. */
export async function knownName(kv: Deno.Kv): Promise<string | null> {
  const { value } = await kv.get<IdentityRow>(IDENTITY_KEY);
  return value?.vkey.split("+", 1)[0] ?? null;
}

const TIMEOUT_MS = 3 * SECOND_MS;

/**
 * Compares the store with what the logs publish, which has the cosignatures of this witness. So a witness
 * whose store was lost or restored notices it before it signs, unless a log withholds them.
 */
export async function compareWithLogs(
  witness: Witness,
  logs: readonly PolicyLog[],
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const urls = new Set(logs.flatMap(({ url }) => url ?? []));
  await Promise.all(Array.from(urls, async (url) => {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(`${url.replace(/\/+$/, "")}/checkpoint`, { signal });
      const text = await readChunks(response.body, MAX_NOTE_BYTES);
      if (response.ok && text !== undefined) await witness.compare(text);
    } catch {
      // The log cannot be reached. It is not needed for anything else.
    }
  }));
}
