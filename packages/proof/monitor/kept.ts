/**
 * The copy of a log that a monitor keeps in a folder.
 *
 * @module
 */
import { dirname, join } from "node:path";
import type { Bytes } from "../../../lib/base/bytes.ts";
import { type ReadTiles, type SizedTile, tileBytes, tilePath } from "../log/mod.ts";
import { folderCopy, type LogCopy } from "./copy.ts";
import type { MonitorFault } from "./finding.ts";

/** A checkpoint that a monitor has seen. */
export interface SeenCheckpoint {
  /** When it was seen first, ISO 8601. */
  seen: string;
  size: number;
  text: string;
  /** When the log last showed the checkpoint before, ISO 8601; absent for the first. */
  previous?: string;
  /** Why the monitor did not follow it; absent for one whose tree the copy has. */
  fault?: MonitorFault;
}

/** The copy of a log that a monitor keeps in a folder, in the log's own layout. */
export interface Kept extends LogCopy {
  folder: string;
  readTiles: ReadTiles;
  /** Writes a file as a whole. */
  write(path: string, content: Bytes | string): Promise<void>;
  /** Replaces a tile by a wider one, which begins with the same bytes. */
  writeTile(tile: SizedTile, bytes: Bytes): Promise<void>;
  /** Returns the widest tile at a place that is kept, up to a width. */
  tile(tile: SizedTile): Promise<Bytes | null>;
  seen(): Promise<SeenCheckpoint[]>;
  addSeen(checkpoint: SeenCheckpoint): Promise<void>;
}

const SEEN = "checkpoints.jsonl";

/** Opens the copy of a monitor. The folder is created with the first file. */
export function openKept(folder: string): Kept {
  const { read } = folderCopy(folder);
  async function write(path: string, content: Bytes | string): Promise<void> {
    const file = join(folder, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    const temporary = `${file}.${crypto.randomUUID()}.new`;
    if (typeof content === "string") await Deno.writeTextFile(temporary, content);
    else await Deno.writeFile(temporary, content);
    await Deno.rename(temporary, file);
  }
  const fullPath = (tile: SizedTile) => tilePath({ ...tile, width: 256 });

  /** Returns the partial tiles that are kept at a place, the widest first. */
  async function partial(tile: SizedTile): Promise<number[]> {
    try {
      const names = await Array.fromAsync(
        Deno.readDir(join(folder, `${fullPath(tile)}.p`)),
        ({ name }) => Number(name),
      );
      return names.filter(Number.isInteger).sort((a, b) => b - a);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  async function tile(sized: SizedTile): Promise<Bytes | null> {
    const length = tileBytes(sized);
    const full = await read(fullPath(sized));
    if (full !== null) return full.slice(0, length);
    for (const width of await partial(sized)) {
      const bytes = await read(tilePath({ ...sized, width }));
      if (bytes !== null) return bytes.slice(0, length);
    }
    return null;
  }

  return {
    folder,
    read,
    write,
    tile,
    readTiles: (tiles) =>
      Promise.all(tiles.map(async (sized) => {
        const bytes = await tile(sized);
        if (bytes === null || bytes.length < tileBytes(sized)) {
          throw new RangeError(`The copy lacks ${tilePath(sized)}.`);
        }
        return bytes;
      })),
    async writeTile(sized, bytes) {
      const older = (await partial(sized)).filter((width) => width !== sized.width);
      await write(tilePath(sized), bytes);
      for (const width of older) await Deno.remove(join(folder, tilePath({ ...sized, width })));
    },
    async seen() {
      const bytes = await read(SEEN);
      const text = bytes === null ? "" : new TextDecoder().decode(bytes);
      return text.split("\n").flatMap((line) => parseSeen(line) ?? []);
    },
    addSeen: (checkpoint) =>
      Deno.mkdir(folder, { recursive: true }).then(() =>
        // The newline comes first, so that a line which was cut off does not spoil the next one.
        Deno.writeTextFile(join(folder, SEEN), `\n${JSON.stringify(checkpoint)}`, { append: true })
      ),
  };
}

/** Returns the checkpoint of a line; null for one that was cut off, for example by a full disk. */
function parseSeen(line: string): SeenCheckpoint | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
