/**
 * Finds out which test files have to run again: those that read another text, or are imported with another
 * one, than when they last passed.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { dirname, join, relative, resolve } from "node:path";

/** What decides about every test. */
const FOR_ALL = ["deno.json", "import_map.json", "dev.lock", "deno.lock"];
/** The build of the site has what these folders contain, without importing them. */
const BUILDER = "tests/built_site.ts";
const BUILT = ["routes", "islands", "static", "components", "fresh", "server.ts", "main.ts"];
const SKIPPED = /(^|\/)(\.git|\.data|\.deno|_fresh|node_modules)(\/|$)/;
const SOURCE = /\.[mc]?[jt]sx?$/;
const LITERAL = /["'`]([\w@.][\w@./{}$-]*)["'`]/g;
const READS_FOLDERS = /readDir|testFiles\(|ls-files/;

/** The files of a checkout, with what each one refers to and what is in it. Each is read once. */
export class SourceGraph {
  readonly #root: string;
  readonly #references = new Map<string, ReadonlySet<string>>();
  readonly #digests = new Map<string, string>();
  readonly #forAll: string;

  /** @param root the absolute path of the checkout */
  constructor(root: string) {
    this.#root = resolve(root);
    const digests = FOR_ALL.map((path) => this.#digestOf(join(this.#root, path)));
    this.#forAll = [Deno.version.deno, ...digests].join();
  }

  /**
   * Returns a digest of everything that a test file depends on: its imports and theirs, and all files and
   * folders that one of them names in a string, as the path of a script or of a file that it reads.
   */
  digest(test: string): string {
    const found = new Set([resolve(test)]);
    for (const path of found) for (const each of this.#referencesOf(path)) found.add(each);
    const hash = createHash("sha256").update(this.#forAll);
    for (const path of [...found].sort()) {
      hash.update(`\0${relative(this.#root, path)}\0${this.#digestOf(path)}`);
    }
    return hash.digest("hex");
  }

  #digestOf(path: string): string {
    let digest = this.#digests.get(path);
    if (digest === undefined) {
      digest = isFile(path)
        ? createHash("sha256").update(Deno.readFileSync(path)).digest("base64")
        : "none";
      this.#digests.set(path, digest);
    }
    return digest;
  }

  #referencesOf(path: string): ReadonlySet<string> {
    let found = this.#references.get(path);
    if (found === undefined) {
      found = new Set(SOURCE.test(path) ? this.#readReferences(path) : []);
      this.#references.set(path, found);
    }
    return found;
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
        if (isFile(target)) yield target;
        else if (target !== this.#root && named.includes("/") || readsFolders) {
          yield* this.#filesBelow(target);
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

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
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
