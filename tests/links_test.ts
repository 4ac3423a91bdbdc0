/**
 * Checks what the documents in the repository name: files, headings and paths.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "node:path";

const ROOT = new URL("..", import.meta.url).pathname;
const SKIPPED = new Set(["node_modules", "_fresh", "vendor"]);

/** Returns the paths of all documents and folders. */
function* pathsIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(ROOT + folder)) {
    if (name.startsWith(".") || SKIPPED.has(name)) continue;
    const path = join(folder, name);
    if (isDirectory) yield* pathsIn(path);
    else if (name.endsWith(".md")) yield path;
  }
}

const exists = (path: string): boolean => {
  try {
    return Deno.lstatSync(ROOT + path) !== undefined;
  } catch {
    return false;
  }
};

/** Returns the name that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading.toLowerCase().replace(/[^\p{L}\p{N}\-_ ]/gu, "").replaceAll(" ", "-");

const documents = [...pathsIn(".")].map((path) => {
  const text = Deno.readTextFileSync(ROOT + path).replace(/^ *```.*?^ *```/gms, "");
  return { path, text };
});
const anchors = new Map(
  documents.map(({ path, text }) => [
    path,
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading)),
  ]),
);

Deno.test("every link between documents leads to a file, and to a heading of it", () => {
  assert(documents.length > 50);
  const faults = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
      .filter((link) => !/^([a-z]+:|\/)/.test(link))
      .filter((link) => {
        const [file, anchor] = link.split("#");
        const target = file === "" ? path : join(dirname(path), file);
        return !exists(target) ||
          anchor !== undefined && anchors.get(target)?.includes(anchor) === false;
      })
      .map((link) => `${path}: ${link}`)
  );
  assertEquals(faults, []);
});

Deno.test("every path that a document names exists", () => {
  const folders = [...Deno.readDirSync(ROOT)]
    .filter(({ name, isDirectory }) => isDirectory && !name.startsWith(".") && !SKIPPED.has(name))
    .map(({ name }) => name);
  const faults = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w.-]+(?:\/[\w.\[\]-]+)*(?:\.\w+|\/))`/g)].map(([, named]) => named)
      .filter((named) => folders.includes(named.split("/")[0]))
      .filter((named) => !exists(named) && !exists(join(dirname(path), named)))
      .map((named) => `${path}: ${named}`)
  );
  assertEquals(faults, []);
});

Deno.test("docs/tasks.md has every task of deno.json, and no other", () => {
  const { tasks } = JSON.parse(Deno.readTextFileSync(ROOT + "deno.json"));
  const { text } = documents.find(({ path }) => path === "docs/tasks.md")!;
  const named = [...text.matchAll(/^\| (`[^|]*`)/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`(?:deno task )?([\w:-]+)/g)].map(([, task]) => task)
  );
  assertEquals([...new Set(named)].sort(), Object.keys(tasks).sort());
});
