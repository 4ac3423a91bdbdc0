import * as z from "../zod.ts";
import { ChainReadError, readJson, type ReadOptions } from "./read_json.ts";

/** Where a publisher serves its keys (standard, "Keys"). */
export const KEYS_PATH = "/.well-known/chain-keys.json";

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

const keySetSchema = z.object({ keys: z.array(z.unknown()) });

/**
 * The address of a publisher's keys: HTTPS, but plain HTTP for a host that is this machine.
 *
 * @param publisher a host, with a port if it has one
 * @returns null for what is no host
 * @example
 * ```ts
 * keysUrl("trust.example"); // "https://trust.example/.well-known/chain-keys.json"
 * ```
 */
export function keysUrl(publisher: string): string | null {
  if (!HOST.test(publisher) || !URL.canParse(`https://${publisher}`)) return null;
  const scheme = LOOPBACK.test(new URL(`https://${publisher}`).hostname) ? "http" : "https";
  return `${scheme}://${publisher}${KEYS_PATH}`;
}

/** The `keys` of a JWK Set; none of what else there may be. */
export const keysOf = (set: unknown): unknown[] => keySetSchema.safeParse(set).data?.keys ?? [];

/**
 * Gets a publisher's keys.
 *
 * @param url see {@linkcode keysUrl}
 * @throws {ChainReadError} (rejects) where no key set came
 */
export async function fetchKeys(url: string, options: ReadOptions = {}): Promise<unknown[]> {
  const set = keySetSchema.safeParse(await readJson(url, options));
  if (set.success) return set.data.keys;
  throw new ChainReadError("bad_answer", `${url} is no JWK Set.`);
}
