/**
 * Evaluates modules, and variants of them with one changed source, without the module loader of Deno, which
 * takes most of the time of a variant.
 *
 * @module
 */
import { stripTypeScriptTypes } from "node:module";

// deno-lint-ignore no-explicit-any -- the exports of any module
type Exports = Record<string, any>;

/** Returns the exports of the module with a path. */
export type Load = (path: string) => Exports;

/** A module whose types were removed, as the body of a function. */
interface Compiled {
  /** The paths and packages that it imports, in the order of the function's parameters. */
  imports: readonly string[];
  evaluate: (...imports: Exports[]) => Exports;
}

const IMPORT = /(?<=^|\*\/ )(import|export) (?:(\*)(?: as (\w+))?|\{([^}]*)\}) from "([^"]+)";$/gm;
// A comment may precede it in the line.
const DECLARED = /(?<=^|\*\/ )export (?:async )?(?:const|function\*?|class) (\w+)/gm;
const DEFAULT_IMPORT = /(?<=^|\*\/ )import (\w+) from "([^"]+)";$/gm;

/** Modules that import each other, by their paths. */
export class Modules {
  readonly #compiled: ReadonlyMap<string, Compiled>;
  readonly #packages: ReadonlyMap<string, Exports>;
  /** The unchanged modules. */
  readonly #whole = new Map<string, Exports>();

  private constructor(
    compiled: ReadonlyMap<string, Compiled>,
    packages: ReadonlyMap<string, Exports>,
  ) {
    this.#compiled = compiled;
    this.#packages = packages;
  }

  /**
   * Compiles modules and imports the packages that they need.
   *
   * @param sources the TypeScript of each module by its path
   */
  static async of(sources: ReadonlyMap<string, string>): Promise<Modules> {
    const compiled = new Map(
      [...sources].map(([path, source]) => [path, compile(path, source)] as const),
    );
    const packages = new Map<string, Exports>();
    for (const name of [...compiled.values()].flatMap(({ imports }) => imports)) {
      if (!compiled.has(name)) packages.set(name, await import(name));
    }
    return new Modules(compiled, packages);
  }

  /**
   * Returns a function that evaluates a module and what it imports. Modules that do not import the changed one
   * are evaluated once, for all variants.
   *
   * @param changed the path of a module and the source that takes its place
   */
  variant(changed?: { path: string; source: string }): Load {
    const own = new Map<string, Exports>();
    const variant = changed && compile(changed.path, changed.source);
    const importers = new Set(changed && this.#importersOf(changed.path));
    const load: Load = (path) => {
      const known = importers.has(path) ? own : this.#whole;
      let exports = known.get(path);
      if (exports === undefined) {
        const { imports, evaluate } = path === changed?.path ? variant! : this.#compiled.get(path)!;
        exports = evaluate(...imports.map((name) => this.#packages.get(name) ?? load(name)));
        known.set(path, exports);
      }
      return exports;
    };
    return load;
  }

  /** Returns a module with those that import it, also through others. */
  #importersOf(path: string): Set<string> {
    const found = new Set([path]);
    for (const each of found) {
      for (const [importer, { imports }] of this.#compiled) {
        if (imports.includes(each)) found.add(importer);
      }
    }
    return found;
  }
}

/** Turns a module into a function of its imports that returns its exports. */
function compile(path: string, source: string): Compiled {
  const imports: string[] = [];
  const exported: string[] = [];
  const parameterOf = (specifier: string): string => {
    const name = specifier.startsWith(".")
      ? new URL(specifier, `file:///${path}`).pathname.slice(1)
      : specifier;
    if (!imports.includes(name)) imports.push(name);
    return `import${imports.indexOf(name)}`;
  };
  // The types lack this mode, which parameter properties need.
  const mode = "transform" as "strip";
  const body = stripTypeScriptTypes(source, { mode })
    .replace(DEFAULT_IMPORT, (_, name, from) => `const ${name} = ${parameterOf(from)}.default;`)
    .replace(IMPORT, (_, keyword, all, as, names, from) => {
      const parameter = parameterOf(from);
      if (keyword === "import") {
        const bound = namesIn(names).map(([from, to]) => `${from}: ${to}`);
        return `const ${as ?? `{ ${bound.join(", ")} }`} = ${parameter};`;
      }
      if (all !== undefined) exported.push(`...${parameter}`);
      else exported.push(...namesIn(names).map(([from, to]) => `${to}: ${parameter}.${from}`));
      return "";
    })
    .replace(DECLARED, (declaration, name) => {
      exported.push(name);
      return declaration.slice("export ".length);
    });
  const parameters = Array.from(imports, (_, i) => `import${i}`);
  const text = `"use strict";\n${body}\nreturn { ${exported.join(", ")} };`;
  return { imports, evaluate: new Function(...parameters, text) as Compiled["evaluate"] };
}

/** Returns the names between braces, each with the name after its `as`. */
const namesIn = (names = ""): [from: string, to: string][] =>
  [...names.matchAll(/(\w+)(?: as (\w+))?/g)].map(([, from, to = from]) => [from, to]);
