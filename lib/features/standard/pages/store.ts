/** The versions of published pages, as they are stored. */
import { z } from "zod";
import { sha256 } from "../../../platform/kv/hash.ts";
import { ALWAYS, apart, defineTable, ifWritable, transact } from "../../../platform/kv/mod.ts";

/** A version of a page. Its Markdown never changes. */
const pageVersion = z.strictObject({
  /** 1 for the first version. */
  number: z.int(),
  /** When it was first published, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  /** The hash of the Markdown's UTF-8 bytes, 64 hexadecimal digits. */
  sha256: z.string(),
  markdown: z.string(),
});

export type PageVersion = z.infer<typeof pageVersion>;

export const pages = defineTable({
  prefix: "pages",
  value: pageVersion,
  key: ["name", "number"],
  otherIndexes: ["pages_by_hash"],
  owner: "nobody",
  lifetime: ALWAYS,
  per: "version of a page",
});

/** The key of the name and number of the newest version with a hash. */
const hashKey = (sha256: string): Deno.KvKey => ["pages_by_hash", sha256];

/**
 * Returns the newest version of a page, or stores a new one if its text has changed.
 *
 * @returns `stored: false` for a new version that could not be stored, because the store is read-only
 */
export async function publishVersion(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  name: string,
  markdown: string,
): Promise<{ version: PageVersion; stored: boolean }> {
  const hash = sha256(markdown);
  let version!: PageVersion;
  const stored = await ifWritable(() =>
    transact(async () => {
      const newest = await apart(
        "The commit checks that the next number is free.",
        () => newestVersion(kv, name),
      );
      if (newest?.sha256 === hash) {
        version = newest;
        return { result: true };
      }
      const number = (newest?.number ?? 0) + 1;
      version = { number, at: new Date(clock()).toISOString(), sha256: hash, markdown };
      const commit = kv.atomic().set(hashKey(hash), { name, number });
      pages.replace(
        commit,
        { key: pages.key(name, number), value: null, versionstamp: null },
        version,
      );
      return { result: true, commit };
    })
  );
  return { version, stored: stored ?? false };
}

/** Returns the newest stored version, which another process may have published. */
export async function newestVersion(kv: Deno.Kv, name: string): Promise<PageVersion | null> {
  const [entry] = await Array.fromAsync(pages.list(kv, [name], { limit: 1, reverse: true }));
  return entry?.value ?? null;
}

export const readVersion = async (
  kv: Deno.Kv,
  name: string,
  number: number,
): Promise<PageVersion | null> => (await pages.get(kv, name, number)).value;

/** Returns the page and the newest version with this hash. */
export const findVersion = async (
  kv: Deno.Kv,
  sha256: string,
): Promise<{ name: string; number: number } | null> =>
  (await kv.get<{ name: string; number: number }>(hashKey(sha256))).value;
