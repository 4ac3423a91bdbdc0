import { utf8 } from "../../../base/bytes.ts";
import { encodeBase64 } from "../../../base/encoding.ts";
import { parseSize } from "../checkpoint.ts";

/** The size and root of the newest checkpoint, kept outside the store and its backups. */
export interface Anchored {
  size: number;
  /** Base64. */
  root: string;
}

/** Keeps the newest size and root where a restored store cannot change them. */
export interface Anchor {
  /** @throws {Error} (rejects) if it cannot be read, or is not what was written */
  read(): Promise<Anchored | null>;
  write(anchored: Anchored): Promise<void>;
}

/** An anchor that is a file. It is replaced as a whole, so that a full disk or a crash keeps the old one. */
export function createFileAnchor(path: string): Anchor {
  return {
    async read() {
      let text;
      try {
        text = await Deno.readTextFile(path);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return null;
        throw error;
      }
      return parseAnchor(text);
    },
    async write(anchored) {
      // Another process may write at the same time, although only one runs the job.
      const temporary = `${path}.${crypto.randomUUID()}`;
      const file = await Deno.open(temporary, { write: true, createNew: true });
      try {
        await file.write(utf8(formatAnchor(anchored)));
        await file.sync();
      } finally {
        file.close();
      }
      await Deno.rename(temporary, path);
    },
  };
}

export const formatAnchor = ({ size, root }: Anchored): string => `${size}\n${root}\n`;

/** @throws {TypeError} for any other text */
export function parseAnchor(text: string): Anchored {
  const [line, root = "", ...rest] = text.split("\n");
  const size = parseSize(line);
  if (size === null || !/^[A-Za-z0-9+/]{43}=$/.test(root) || rest.join() !== "") {
    throw new TypeError("The anchor does not have a size and a root.");
  }
  return { size, root };
}

export const anchorOf = (size: number, root: Uint8Array): Anchored => ({
  size,
  root: encodeBase64(root),
});
