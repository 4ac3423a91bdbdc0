/**
 * Checks what the documents in the repository name: files, headings, paths, tasks and events of the log,
 * and their words.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "node:path";
import { documentFaults } from "./words.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const SKIPPED = new Set(["node_modules", "_fresh", "vendor"]);

/** Returns the paths of the files in a folder whose names match. */
function* filesIn(folder: string, names: RegExp): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(ROOT + folder)) {
    if (name.startsWith(".") || SKIPPED.has(name)) continue;
    const path = join(folder, name);
    if (isDirectory) yield* filesIn(path, names);
    else if (names.test(name)) yield path;
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

const documents = [...filesIn(".", /\.md$/)].map((path) => {
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

Deno.test("every warning and error that the site logs is in a document of operations", () => {
  const sources = [...filesIn("lib", /^(?!.*_test\.).*\.tsx?$/)].filter((path) =>
    !path.includes("/testing/")
  );
  const events = sources.flatMap((path) =>
    [
      ...Deno.readTextFileSync(ROOT + path)
        .matchAll(/level: [^,{}]*"(?:error|warn)"[^,{}]*,\s*event: "(\w+)"/g),
    ].map(([, event]) => event)
  );
  assert(events.length > 40);
  const operations = documents.filter(({ path }) => /^docs\/(ops\/|deploy)/.test(path))
    .map(({ text }) => text).join();
  assertEquals(events.filter((event) => !operations.includes(`\`${event}\``)), []);
});

/** All in `docs/` and at the root, but the glossary, which lists the words. */
const WORDED = /^(docs\/(?!glossary\.md$).*|[^/]+)\.md$/;

Deno.test("documents use the words of the glossary", () => {
  const worded = documents.filter(({ path }) => WORDED.test(path));
  for (const path of ["README.md", "docs/deploy.md"]) {
    assert(worded.some((document) => document.path === path), path);
  }
  const faults = worded
    .flatMap(({ path, text }) => documentFaults(text, path).map((fault) => `${path}: ${fault}`));
  assertEquals(faults, []);
});
