/** The monitor's check that every published key of the log is itself in the log. */
import { z } from "zod";
import { LOG_DELAY_MS } from "../verify/mod.ts";
import type { Finding } from "./finding.ts";
import type { Kept } from "./kept.ts";

/** The file with published keys that the log does not have, and since when they are published. */
const UNLOGGED = "unlogged.json";

/**
 * Reports keys that the publisher offers to verifiers although no logged set has them. A new key is published
 * when it is made, and logged soon afterwards.
 *
 * @param published the keys as they were received
 * @param logged those of all logged sets
 */
export async function checkPublished(
  kept: Kept,
  published: readonly unknown[],
  logged: readonly unknown[],
  now: number,
): Promise<Finding[]> {
  const stored = await kept.read(UNLOGGED);
  const before: Record<string, number> = stored === null
    ? {}
    : JSON.parse(new TextDecoder().decode(stored));
  const known = new Set(logged.map(publicKeyOf));
  const unlogged = published.map(publicKeyOf).filter((key) => key !== null && !known.has(key));
  const after = Object.fromEntries(unlogged.map((key) => [key, before[key!] ?? now]));
  if (stored !== null || unlogged.length > 0) await kept.write(UNLOGGED, JSON.stringify(after));
  const due = Object.keys(after).filter((key) => now - after[key] > LOG_DELAY_MS);
  if (due.length === 0) return [];
  const message = `The publisher offers a key to verify heads with that is not in the log: ${
    due[0]
  }.`;
  const evidence = { "published.json": `${JSON.stringify({ keys: published }, null, 2)}\n` };
  return [{ fault: "log_unknown", message, evidence }];
}

const keySchema = z.object({ x: z.string().regex(/^[\w-]{43}$/) });

/** Returns the public key of a JWK. Its other members, such as its id, do not count. */
const publicKeyOf = (key: unknown): string | null => keySchema.safeParse(key).data?.x ?? null;
