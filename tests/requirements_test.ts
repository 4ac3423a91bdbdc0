/**
 * Checks `docs/requirements.md`: the places and tests that its rows name exist, and it has a row for every
 * section of the specification that a comment, a title or another document cites.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("..", import.meta.url).pathname;
const DOCUMENT = "docs/requirements.md";
/** Everything that may cite the specification, apart from the modules at the top. */
const FOLDERS = [
  "bench",
  "components",
  "deploy",
  "docs",
  "fresh",
  "islands",
  "lib",
  "packages",
  "routes",
  "sandbox",
  "static/styles",
  "tests",
  "tools",
];
/** The head of the tables with requirements. */
const HEAD = ["section", "requirement", "place", "test"];
const NUMBER = String.raw`\d+(?:\.\d+)*`;
const SECTION = new RegExp(`^${NUMBER}$`);

interface Requirement {
  section: string;
  requirement: string;
  place: string;
  test: string;
}

/** A file that a cell names, with the exported names or the titles that follow it. */
interface Reference {
  path: string;
  parts: string[];
}

const read = (path: string) => Deno.readTextFileSync(ROOT + path);
const text = read(DOCUMENT);
const requirements = readRequirements(text);

function readRequirements(text: string): Requirement[] {
  let head: string[] = [];
  return text.split("\n").flatMap((line) => {
    const cells = line.startsWith("|")
      ? line.split("|").slice(1, -1).map((cell) => cell.trim())
      : [];
    if (cells.length === 0 || head.length === 0) head = cells;
    if (head === cells || head.join() !== HEAD.join() || /^-+$/.test(cells[0])) return [];
    const [section, requirement, place, test] = cells;
    return [{ section, requirement, place, test }];
  });
}

/** Reads `path` `name`, `name` and `path` "title", "title". */
function referencesOf(cell: string): Reference[] {
  const references: Reference[] = [];
  for (const [, path, name, title] of cell.matchAll(/`([^`]*[./][^`]*)`|`(\w+)`|"([^"]*)"/g)) {
    if (path !== undefined) references.push({ path, parts: [] });
    else references.at(-1)?.parts.push(name ?? title);
  }
  return references;
}

const contents = new Map<string, string | null>();

/** Returns the text of a file, or null if there is none. */
function textOf(path: string): string | null {
  let text = contents.get(path);
  if (text === undefined) {
    try {
      text = read(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      text = null;
    }
    contents.set(path, text);
  }
  return text;
}

const exportsName = (text: string, name: string) =>
  new RegExp(`^export\\b.*\\b${name}\\b`, "m").test(text);

const TITLE = /\b(?:test|testTogether|step)\(\s*(?:\{\s*name: )?(["`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** Returns whether a test or step of a file has a title that contains the given one. */
const hasTest = (text: string, title: string) =>
  text.includes(title) && [...text.matchAll(TITLE)].some(([, , found]) => found.includes(title));

/** Returns what a cell names that does not exist. */
function missing(cell: string, has: (text: string, part: string) => boolean): string[] {
  return referencesOf(cell).flatMap(({ path, parts }) => {
    const text = textOf(path);
    if (text === null) return [path];
    return parts.filter((part) => !has(text, part)).map((part) => `${path}: ${part}`);
  });
}

Deno.test("every place and test that docs/requirements.md names exists", () => {
  assert(requirements.length > 100);
  const faults = requirements.flatMap(({ section, requirement, place, test }) => {
    const row = `${section}: ${requirement}`;
    const [places, tests] = [referencesOf(place), referencesOf(test)];
    return [
      ...SECTION.test(section) ? [] : [`${row}: no section`],
      ...places.length > 0 ? [] : [`${row}: no place`],
      ...tests.length > 0 && tests.every(({ parts }) => parts.length > 0)
        ? []
        : [`${row}: no test`],
      ...missing(place, exportsName),
      ...missing(test, hasTest),
    ];
  });
  assertEquals(faults, []);
});

/** A space, or the end of a line in a comment. */
const GAP = String.raw`[\s*/]+`;
const CITATION = new RegExp(
  String
    .raw`\bspec${GAP}(?:sections?${GAP})?(${NUMBER}(?:(?:,|${GAP}and|${GAP}to)${GAP}${NUMBER})*)`,
  "gi",
);
/** An earlier document, which is not in the repository. */
const DESIGN = new RegExp(String.raw`\bdesign,?${GAP}sections?\b`, "i");

/** Returns the paths of all files that people read. */
function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(ROOT + folder)) {
    const path = folder === "." ? name : `${folder}/${name}`;
    if (isDirectory && folder !== "." && name !== "node_modules") yield* sources(path);
    else if (/\.(tsx?|css|md)$/.test(name)) yield path;
  }
}

Deno.test("docs/requirements.md has every section that is cited, and nothing cites a text that is not in the repository", () => {
  const sections = requirements.map(({ section }) => section);
  const isListed = (number: string) =>
    sections.some((section) => section === number || section.startsWith(`${number}.`));
  const faults: string[] = [];
  for (const path of [".", ...FOLDERS].flatMap((folder) => [...sources(folder)])) {
    const text = read(path);
    if (DESIGN.test(text)) faults.push(`${path} cites the design`);
    for (const [citation, numbers] of text.matchAll(CITATION)) {
      const unknown = numbers.match(new RegExp(NUMBER, "g"))!.filter((number) => !isListed(number));
      if (unknown.length > 0) faults.push(`${path}: ${citation}`);
    }
  }
  assertEquals(faults, []);
});

Deno.test("every deviation in docs/requirements.md is from a section with a requirement, and has a reason", () => {
  const [, deviations] = text.split("\n## Deviations from the specification\n");
  const rows = deviations.split("\n").filter((line) => /^\| \d/.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assert(rows.length > 10);
  for (const [section, ...cells] of rows) {
    assert(requirements.some((row) => row.section === section), `${section}: ${cells[0]}`);
    assert(cells.length === 3 && cells.every((cell) => cell !== ""), `${section}: ${cells[0]}`);
  }
});
