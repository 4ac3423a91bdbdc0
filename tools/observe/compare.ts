/**
 * Compares two folders that `deno task observe` wrote, after it has removed what differs from run to run
 * (`removed.ts`):
 *
 *     deno task observe:compare <before> <after>
 *
 * It prints the lines that only one side has, with where they belong, and the pictures that differ, with
 * the part that does. Exits with 0 if nothing differs, 1 if something does, and 2 on incorrect usage.
 *
 * @module
 */
import { basename } from "node:path";
import { compareLines, linesOf } from "./lines.ts";
import { comparePictures, describeDifference } from "./pixels.ts";

/** Longer lines are cut around what differs. */
const SHOWN = 400;

/**
 * Compares two folders.
 *
 * @param print called with each line of the report
 * @returns the number of files that differ
 */
export async function compareFolders(
  before: string,
  after: string,
  print: (line: string) => void = console.log,
): Promise<number> {
  const files = [...new Set([...await filesIn(before), ...await filesIn(after)])].sort();
  let different = 0;
  for (const file of files) {
    const [old, current] = await Promise.all([before, after].map((folder) => read(folder, file)));
    const changes = old === null || current === null
      ? [`only in ${old === null ? after : before}`]
      : file.endsWith(".png")
      ? describePicture(old, current)
      : describeText(file, old, current);
    if (changes.length === 0) continue;
    different++;
    print(`${file}:`);
    for (const change of changes) print(`  ${change}`);
  }
  print(`${different} of ${files.length} files differ.`);
  return different;
}

function describePicture(
  before: Uint8Array<ArrayBuffer>,
  after: Uint8Array<ArrayBuffer>,
): string[] {
  const difference = comparePictures(before, after);
  return difference === null ? [] : [describeDifference(difference)];
}

function describeText(file: string, ...texts: Uint8Array<ArrayBuffer>[]): string[] {
  const [before, after] = texts.map((bytes) =>
    linesOf(basename(file), new TextDecoder().decode(bytes))
  );
  const { removed, added } = compareLines(before, after);
  return [...removed.map((line) => `- ${cut(line)}`), ...added.map((line) => `+ ${cut(line)}`)];
}

const cut = (line: string) => line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;

/** Returns the paths of the files below a folder. */
async function filesIn(folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    if (isDirectory) found.push(...await filesIn(folder, `${below}${name}/`));
    else found.push(below + name);
  }
  return found;
}

const read = (folder: string, file: string): Promise<Uint8Array<ArrayBuffer> | null> =>
  Deno.readFile(`${folder}/${file}`).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });

if (import.meta.main) {
  const [before, after, ...more] = Deno.args;
  if (after === undefined || more.length > 0) {
    console.error("Usage: deno task observe:compare <before> <after>");
    Deno.exit(2);
  }
  Deno.exit(await compareFolders(before, after) === 0 ? 0 : 1);
}
