/** The conditions of the steps in `fresh/README.md`, after which the site starts on upstream Fresh. */
import { assert, assertEquals } from "@std/assert";
import denoJson from "../deno.json" with { type: "json" };
import importMap from "../import_map.json" with { type: "json" };

const ROOT = new URL("..", import.meta.url).pathname;

/** The names that the site may import from upstream 2.3.3, by entry point. */
const EXPORTS: Record<string, string> = {
  "fresh": `App ListenOptions trailingSlashes HandlerByMethod HandlerFn page PageResponse RouteData
    RouteHandler LayoutConfig Lazy MaybeLazy RouteConfig Middleware MiddlewareFn staticFiles csrf
    CsrfOptions cors CORSOptions ipFilter IpFilterOptions IpFilterRules csp CSPOptions FreshConfig
    ResolvedFreshConfig Context FreshContext Island WebSocketHandlers WebSocketUpgradeOptions
    createDefine Define Method HttpError PageProps`,
  "fresh/runtime": "HttpError IS_BROWSER asset assetSrcSet Partial PartialProps Head HeadProps",
  "fresh/dev": `Builder BuildOptions ResolvedBuildConfig OnTransformArgs OnTransformOptions
    TransformFn`,
};

/** Yields the source files of the site, as paths below the root. */
async function* siteFiles(folder = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(ROOT + folder)) {
    if (/^[._]|^(fresh|node_modules)$/.test(name)) continue;
    if (isDirectory) yield* siteFiles(`${folder}${name}/`);
    else if (/\.[jt]sx?$/.test(name)) yield folder + name;
  }
}

/** Returns the matches of a pattern in all source files, without comments, and where each is. */
async function find(pattern: RegExp): Promise<{ where: string; groups: string[] }[]> {
  const found: { where: string; groups: string[] }[] = [];
  for await (const path of siteFiles()) {
    const text = (await Deno.readTextFile(ROOT + path))
      .replaceAll(/^[ \t]*(\/?\*|\/\/).*$/gm, "");
    for (const match of text.matchAll(pattern)) {
      const line = text.slice(0, match.index).split("\n").length;
      found.push({ where: `${path}:${line}`, groups: match.slice(1) });
    }
  }
  return found;
}

Deno.test("no source names a path in fresh/ other than an entry point that upstream has", async () => {
  const paths = await find(/["'`]((?:[^"'`\s]*[/}])?fresh(?:\/[^"'`\s]*)?)["'`]/g);
  const entries = new Set(paths.map(({ groups: [path] }) => path));
  assertEquals(
    paths.filter(({ groups: [path] }) => !Object.hasOwn(EXPORTS, path))
      .map(({ where, groups: [path] }) => `${where}: ${path}`),
    [],
  );
  assertEquals([...entries].sort(), Object.keys(EXPORTS).sort());
});

Deno.test("the site imports only names that upstream exports", async () => {
  const imports = await find(/\b(?:import|export)\s+([^;"]*?)\s*from\s*"(fresh(?:\/\w+)?)"/g);
  assert(imports.length > 100);
  const missing = imports.flatMap(({ where, groups: [clause, entry] }) => {
    const known = (EXPORTS[entry] ?? "").split(/\s+/);
    // Without braces, it is a default or namespace import.
    const list = /^(?:type\s+)?\{([^}]*)\}$/.exec(clause)?.[1] ?? clause;
    return list.split(",").map((name) => name.trim().replace(/^type\s+|\s+as\s+\w+$/g, ""))
      .filter((name) => name !== "" && !known.includes(name))
      .map((name) => `${where}: ${name} of ${entry}`);
  });
  assertEquals(missing, []);
});

Deno.test("the import map names one version of Fresh, and everything that upstream's builds import", () => {
  const { imports }: { imports: Record<string, string> } = importMap;
  const subpaths = (name: string, target: string) =>
    Object.entries(imports).filter(([each]) => each === name || each.startsWith(`${name}/`))
      .map(([each, to]) => [each.replace(name, ""), to.replace(target, "")]);
  // The files of a build import "internal".
  const ofFresh = ["", "/runtime", "/dev", "/internal"].map((path) => [path, path]);
  assertEquals(subpaths("fresh", "jsr:@fresh/core@2.3.3"), ofFresh);
  // Upstream imports "jsx-dev-runtime" for islands in development.
  const ofPreact = ["", "/hooks", "/jsx-runtime", "/jsx-dev-runtime"].map((path) => [path, path]);
  assertEquals(subpaths("preact", imports.preact), ofPreact);
  // An import map in deno.json itself would have precedence.
  assertEquals([denoJson.importMap, "imports" in denoJson], ["./import_map.json", false]);
});

Deno.test("the compiler options are those that upstream's build requires", () => {
  const { jsx, jsxImportSource, jsxPrecompileSkipElements } = denoJson.compilerOptions;
  assertEquals([jsx, jsxImportSource], ["precompile", "preact"]);
  const required = "a img source body html head title meta script link style base noscript template"
    .split(" ");
  assertEquals(required.filter((name) => !jsxPrecompileSkipElements.includes(name)), []);
});
