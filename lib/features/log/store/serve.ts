/** The published files of the public log: checkpoints, tiles, keys and policy (C2SP tlog-tiles). */
import type { Bytes } from "../../../base/bytes.ts";
import { createBoundedCache } from "../../../platform/http/bounded_cache.ts";
import { ifWritable } from "../../../platform/kv/mod.ts";
import {
  formatVerifierKey,
  ownWitnessComment,
  parseTilePath,
  tileBytes,
  tileWidth,
} from "../../../../packages/proof/mod.ts";
import type { Log } from "../mod.ts";
import { newestOfCombinations } from "./combinations.ts";
import { signAgain } from "./proofs.ts";
import { type CheckpointRow, logCheckpoint, logKeySets, logPrevious } from "./tables.ts";
import { MissingTileError, tileKey } from "./tree.ts";

/** Some 4,000 tiles. */
const CACHE_BYTES = 32_000_000;

/** The files of a log that everybody may read (C2SP tlog-tiles). */
export type LogFiles = ReturnType<typeof createLogFiles>;

export function createLogFiles(
  { kv, log, url }: { kv: Deno.Kv; log: Pick<Log, "signers" | "witnesses">; url: string },
) {
  // Published tiles never change, so cached ones are served without reading the published size.
  const tiles = createBoundedCache<Bytes>({
    limit: CACHE_BYTES,
    sizeOf: (bytes) => bytes.length,
  });
  /** Opens the log's keys. A read-only copy of development may have none yet. */
  const signers = async () => await ifWritable(() => log.signers()) ?? [];
  const readKeys = async (): Promise<string[]> =>
    (await signers()).map(({ key }) => formatVerifierKey(key));

  return {
    /** The address of the log, without a trailing slash. */
    url,
    keys: readKeys,

    /** Returns the newest published checkpoint; null before the first. */
    checkpoint: async (): Promise<string | null> =>
      (await logCheckpoint.get(kv)).value?.text ?? null,

    /**
     * Returns the newest checkpoint of each combination of witnesses, the largest first, for readers whose policy
     * the newest one does not satisfy.
     */
    async checkpoints(): Promise<string[]> {
      const [rows, keys] = await Promise.all([newestOfCombinations(kv), signers()]);
      return await Promise.all(rows.map((row) => signAgain(row, keys)));
    },

    /** Returns a tile or bundle that was served before. */
    cachedTile: (path: string): Bytes | undefined => tiles.get(path),

    /**
     * Returns a tile or bundle of the published tree; null for one that it does not have, and for a path
     * that is not canonical.
     *
     * @param path from `tile/` on
     * @throws {MissingTileError} (rejects) if the store lacks a part of the published tree
     */
    async tile(path: string): Promise<Bytes | null> {
      const tile = parseTilePath(path);
      if (tile === null) return null;
      // One snapshot, so that a tile of an older tree is never cut to the width of a newer one.
      const [{ value: published }, { value: stored }] = await kv.getMany<[CheckpointRow, Bytes]>([
        logCheckpoint.key(),
        tileKey(tile),
      ]);
      const length = tileBytes(tile);
      if (published === null || tileWidth(tile, published.size) < tile.width) return null;
      if (stored === null || stored.length < length) {
        throw new MissingTileError(`The store lacks ${path}.`);
      }
      const bytes = stored.slice(0, length);
      tiles.set(path, bytes);
      return bytes;
    },

    /** Returns what the log continues under another name, as text; null if it began as this one. */
    async previous(): Promise<string | null> {
      const { value } = await logPrevious.get(kv);
      if (value === null) return null;
      const { origin, keys, checkpoint } = value;
      return [`origin ${origin}\n`, ...keys.map((key) => `log ${key}\n`), "\n", checkpoint].join(
        "",
      );
    },

    /** Returns a logged key set as canonical JSON; null if there is none with this number. */
    async keySet(n: string): Promise<Bytes | null> {
      if (!/^[1-9]\d{0,8}$/.test(n)) return null;
      return (await logKeySets.get(kv, Number(n))).value;
    },

    /**
     * Returns a policy that readers can start from: this log, and the witnesses that it asks. It requires
     * one of those that other operators run, if there are any.
     */
    async policy(): Promise<string> {
      const [keys, witnesses] = await Promise.all([readKeys(), log.witnesses()]);
      const others = witnesses.filter(({ own }) => !own).map(({ name }) => name);
      const names = witnesses.map(({ name }) => name);
      const group = ["independent", "any-independent"].find((name) => !names.includes(name));
      const lines = [
        ...keys.map((key) => `log ${key} ${url}`),
        ...witnesses.flatMap(({ name, key, url, own }) => [
          ...own ? [ownWitnessComment(name)] : [],
          `witness ${name} ${formatVerifierKey(key)}${url === null ? "" : ` ${url}`}`,
        ]),
        ...others.length > 0
          ? [`group ${group} any ${others.join(" ")}`, `quorum ${group}`]
          : ["quorum none"],
      ];
      return `${lines.join("\n")}\n`;
    },
  };
}
