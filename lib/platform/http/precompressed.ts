/** Static files that the build compresses in advance, and the server reads at startup. */
import { dirname } from "node:path";
import { type Coding, CODINGS, compress, MIN_COMPRESSED_BYTES } from "./compression.ts";

/** The compressed versions of static files, by URL path. */
export type Precompressed = ReadonlyMap<string, Partial<Record<Coding, Uint8Array<ArrayBuffer>>>>;

const FOLDER = "precompressed";
const EXTENSIONS: Record<Coding, string> = { br: ".br", gzip: ".gz" };
/** Files in formats that are not compressed yet. */
const COMPRESSIBLE = /\.(css|html|ico|js|json|svg|txt|wasm|webmanifest|xml)$/;

/**
 * Compresses the static files of folders into `<outDir>/precompressed`, for
 * {@linkcode readPrecompressed}.
 *
 * @param folders contain files by their URL paths; a later folder's files replace an earlier one's
 */
export async function writePrecompressed(outDir: string, folders: string[]): Promise<void> {
  await removePrecompressed(outDir);
  for (const folder of folders) {
    for await (const path of filesBelow(folder)) {
      if (!COMPRESSIBLE.test(path)) continue;
      const bytes = await Deno.readFile(folder + path);
      if (bytes.length < MIN_COMPRESSED_BYTES) continue;
      for (const coding of CODINGS) {
        const compressed = compress(bytes, coding, "best");
        const target = `${outDir}/${FOLDER}${path}${EXTENSIONS[coding]}`;
        await Deno.mkdir(dirname(target), { recursive: true });
        await Deno.writeFile(target, compressed);
      }
    }
  }
}

/** Removes the compressed files of a build, because development serves files that have changed since. */
export async function removePrecompressed(outDir: string): Promise<void> {
  await Deno.remove(`${outDir}/${FOLDER}`, { recursive: true }).catch(() => {});
}

/** Reads the files that the build compressed. Without a build there are none. */
export async function readPrecompressed(outDir: string): Promise<Precompressed> {
  const files = new Map<string, Partial<Record<Coding, Uint8Array<ArrayBuffer>>>>();
  for await (const path of filesBelow(`${outDir}/${FOLDER}`)) {
    for (const coding of CODINGS) {
      if (!path.endsWith(EXTENSIONS[coding])) continue;
      const original = path.slice(0, -EXTENSIONS[coding].length);
      const bytes = await Deno.readFile(`${outDir}/${FOLDER}${path}`);
      files.set(original, { ...files.get(original), [coding]: bytes });
    }
  }
  return files;
}

/** Yields the paths of all files below a folder, starting with `/`. */
async function* filesBelow(folder: string, below = ""): AsyncGenerator<string> {
  const entries = await Array.fromAsync(Deno.readDir(folder + below)).catch(() => []);
  for (const { name, isDirectory } of entries) {
    if (isDirectory) yield* filesBelow(folder, `${below}/${name}`);
    else yield `${below}/${name}`;
  }
}
