import { z } from "zod";
import type { Bytes } from "../base/encoding.ts";
import { type Secrets, secretsOf } from "../base/secrets.ts";
import { ALWAYS, defineTable, transact } from "./kv/mod.ts";

interface SecretsOptions {
  kv: Deno.Kv;
  /** Secrets of 32 bytes, the current one first. If empty, one is generated once and stored. */
  given: readonly Bytes[];
}

export const secretTable = defineTable({
  prefix: "app_secret",
  value: z.instanceof(Uint8Array<ArrayBuffer>),
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

/** Creates the secrets of a configuration. */
export const createSecrets = ({ kv, given }: SecretsOptions): Secrets =>
  secretsOf(async () => given.length > 0 ? given : [await storedSecret(kv)]);

/** Returns the generated secret. Processes that start at the same time all get the same one. */
function storedSecret(kv: Deno.Kv): Promise<Bytes> {
  return transact(async () => {
    const entry = await secretTable.get(kv);
    if (entry.value !== null) return { result: entry.value };
    const result = crypto.getRandomValues(new Uint8Array(32));
    const commit = kv.atomic();
    secretTable.replace(commit, entry, result);
    return { result, commit };
  });
}
