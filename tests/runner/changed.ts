/**
 * Finds out which test files have to run again: those that read another text, or are imported with another
 * one, than when they last passed.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The files on which every test depends. */
const FOR_ALL = ["deno.json", "import_map.json", "dev.lock", "deno.lock"];
/** The build of the site has what these folders contain, without importing them. */
const BUILDER = "tests/built_site.ts";
const BUILT = ["routes", "islands", "static", "components", "fresh", "server.ts", "main.ts"];
const SKIPPED = /(^|\/)(\.git|\.data|\.deno|_fresh|node_modules)(\/|$)/;
const SOURCE = /\.[mc]?[jt]sx?$/;
const LITERAL = /["'`]([\w@.][\w@./{}$-]*)["'`]/g;
const READS_FOLDERS = /readDir|testFiles\(|ls-files/;

interface Source {
  path: string;
  /** The path from the root, and the digest of what is in the file. */
  line: string;
  /** The files that it refers to, once somebody has asked. */
  references?: Source[];
  /** The last call of `digest` that has found it. */
  foundBy?: number;
}

/** The files of a checkout, with what each one refers to and what is in it. Each is read once. */
export class SourceGraph {
  readonly #root: string;
  readonly #forAll: string;
  readonly #sources = new Once((path): Source => ({
    path,
    line: `${relative(this.#root, path)}\0${digestOf(path)}`,
  }));
  readonly #below = new Once((folder) => [...this.#filesBelow(folder)]);
  readonly #isFile = new Once(isFile);
  #calls = 0;

  /** @param root the absolute path of the checkout */
  constructor(root: string) {
    this.#root = resolve(root);
    const digests = FOR_ALL.map((path) => digestOf(join(this.#root, path)));
    this.#forAll = [Deno.version.deno, ...digests].join();
  }

  /**
   * Returns a digest of everything that a test file depends on: its imports and theirs, and all files and
   * folders that one of them names in a string, as the path of a script or of a file that it reads.
   */
  digest(test: string): string {
    const found = [this.#sources.of(resolve(test))];
    // Building a set of all these files for each test would take seconds.
    const call = found[0].foundBy = ++this.#calls;
    for (const source of found) {
      for (const each of source.references ??= this.#referencesOf(source)) {
        if (each.foundBy === call) continue;
        each.foundBy = call;
        found.push(each);
      }
    }
    const lines = found.map(({ line }) => line).sort();
    return createHash("sha256").update([this.#forAll, ...lines].join("\0")).digest("hex");
  }

  #referencesOf({ path }: Source): Source[] {
    const paths = new Set(SOURCE.test(path) ? this.#readReferences(path) : []);
    return [...paths].map((each) => this.#sources.of(each));
  }

  *#readReferences(path: string): Generator<string> {
    const text = Deno.readTextFileSync(path);
    const readsFolders = READS_FOLDERS.test(text);
    for (const [, literal] of text.matchAll(LITERAL)) {
      // Of a path with a variable, the folder before it is known.
      const named = literal.replace(/[^/]*\$\{.*$/, "");
      if (!/[./]/.test(named)) continue;
      for (const base of [dirname(path), this.#root]) {
        const target = resolve(base, named);
        if (!target.startsWith(this.#root) || SKIPPED.test(relative(this.#root, target))) continue;
        if (this.#isFile.of(target)) yield target;
        else if (target !== this.#root && named.includes("/") || readsFolders) {
          yield* this.#below.of(target);
        }
      }
    }
    if (relative(this.#root, path) !== BUILDER) return;
    for (const each of BUILT.map((one) => join(this.#root, one))) {
      if (isFile(each)) yield each;
      else yield* this.#filesBelow(each);
    }
  }

  *#filesBelow(folder: string): Generator<string> {
    let entries;
    try {
      entries = [...Deno.readDirSync(folder)];
    } catch {
      return; // there is no such folder
    }
    for (const { name, isDirectory, isFile } of entries) {
      const path = join(folder, name);
      if (SKIPPED.test(relative(this.#root, path))) continue;
      if (isDirectory) yield* this.#filesBelow(path);
      else if (isFile) yield path;
    }
  }
}

/** Values by paths, each of which is found once. */
class Once<Value> {
  readonly #known = new Map<string, Value>();
  readonly #find: (path: string) => Value;

  constructor(find: (path: string) => Value) {
    this.#find = find;
  }

  of(path: string): Value {
    let value = this.#known.get(path);
    if (value === undefined) this.#known.set(path, value = this.#find(path));
    return value;
  }
}

const digestOf = (path: string): string =>
  isFile(path) ? createHash("sha256").update(Deno.readFileSync(path)).digest("base64") : "none";

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // a part of the path is not a folder
  }
}

/** The digests with which test files last passed, by their paths from the root, in a file. */
export class PassedTests {
  readonly #path: string;
  readonly #digests: Record<string, string>;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#digests = JSON.parse(Deno.readTextFileSync(path));
    } catch {
      this.#digests = {}; // nothing has passed yet
    }
  }

  /** Returns whether a test file passed with this digest. */
  has = (file: string, digest: string): boolean => this.#digests[file] === digest;

  /** Remembers the digests of test files that have passed, and forgets those that have not. */
  store(digests: Record<string, string | null>): void {
    for (const [file, digest] of Object.entries(digests)) {
      if (digest === null) delete this.#digests[file];
      else this.#digests[file] = digest;
    }
    Deno.mkdirSync(dirname(this.#path), { recursive: true });
    const temporary = `${this.#path}.${Deno.pid}`;
    Deno.writeTextFileSync(temporary, JSON.stringify(this.#digests));
    Deno.renameSync(temporary, this.#path);
  }
}
