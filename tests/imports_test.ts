import { assertEquals } from "@std/assert";

/** The layers: each may import itself and those to its right. */
const LAYERS = ["routes", "islands", "components", "lib"];
/** Folders of `lib` that are shared rather than features: any of their files may be imported. */
const SHARED = ["config", "http", "jobs", "kv", "mail", "middlewares"];
/** The modules that start the site. They may import every layer. */
const ENTRIES = ["main.ts", "server.ts", "serve.ts", "dev.ts", "fresh.config.ts"];
const ROOT = new URL("..", import.meta.url).pathname;
const IMPORT = /^\s*(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

/** Imports that are evaluated when the importer is, as "importer → imported". */
const atStart = new Set<string>();
const graph = await importGraph();

/** Returns every source file with the files that it imports, as paths below the root. */
async function importGraph(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const path of ENTRIES) found.set(path, importsOf(path));
  for (const folder of [...LAYERS, "fresh/src", "sandbox"]) await visit(folder);
  return found;

  async function visit(folder: string): Promise<void> {
    for await (const { name, isDirectory } of Deno.readDir(ROOT + folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await visit(path);
      else if (/\.tsx?$/.test(name)) found.set(path, importsOf(path));
    }
  }
}

function importsOf(path: string): string[] {
  const text = Deno.readTextFileSync(ROOT + path).replaceAll(/^\s*\*.*$/gm, "");
  return [...text.matchAll(IMPORT)].map(([, fixed, dynamic]) => {
    const to = new URL(fixed ?? dynamic, `file:///${path}`).pathname.slice(1);
    if (fixed !== undefined) atStart.add(`${path} → ${to}`);
    return to;
  });
}

const isTest = (path: string) =>
  /_test\.tsx?$|\/testing\//.test(path) || path.startsWith("fresh/tests/");

/** Returns the imports of product code that break a rule, as "importer → imported". */
function violations(breaks: (from: string, to: string) => boolean): string[] {
  return [...graph].filter(([from]) => !isTest(from)).flatMap(([from, imports]) =>
    imports.filter((to) => breaks(from, to)).map((to) => `${from} → ${to}`)
  );
}

const layerOf = (path: string) => LAYERS.indexOf(path.split("/")[0]);
const featureOf = (path: string) => path.split("/").length > 2 ? path.split("/")[1] : undefined;
const isMailTemplate = (path: string) => /mails?\.tsx$/.test(path);

Deno.test("imports go one way: routes, islands, components, lib", () => {
  assertEquals(
    violations((from, to) => {
      if (from.startsWith("lib/app/middlewares/") && to.startsWith("components/")) return false;
      return layerOf(from) !== -1 && layerOf(to) !== -1 && layerOf(to) < layerOf(from);
    }),
    [],
  );
});

Deno.test("lib has no views outside its middlewares and mail templates", () => {
  const views = [...graph.keys()].filter((path) =>
    path.startsWith("lib/") && path.endsWith(".tsx") && !path.startsWith("lib/app/middlewares/") &&
    !isMailTemplate(path) && !path.startsWith("lib/platform/mail/") && !isTest(path)
  );
  assertEquals(views, []);
});

Deno.test("a feature of lib imports another one only through a mod.ts", () => {
  assertEquals(
    violations((from, to) => {
      if (!from.startsWith("lib/") || !to.startsWith("lib/")) return false;
      const [own, other] = [featureOf(from), featureOf(to)];
      if (own === undefined || other === undefined || own === other) return false;
      return !SHARED.includes(own) && !SHARED.includes(other) && !to.endsWith("/mod.ts");
    }),
    [],
  );
});

Deno.test("every feature in components has the name of a feature in lib", async () => {
  const folders = async (path: string) => {
    const names: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(ROOT + path)) {
      if (isDirectory) names.push(name);
    }
    return names;
  };
  const features = new Set(await folders("lib"));
  const others = (await folders("components")).filter((name) => !features.has(name)).sort();
  // These pages belong to no domain.
  assertEquals(others, ["marketing", "pages"]);
});

Deno.test("no product code imports a test, a fixture or a development stand-in", () => {
  assertEquals(
    violations((from, to) => {
      if (isTest(to) || to.startsWith("tests/")) return true;
      // The server loads the stand-ins on demand, only in development.
      if (from === "server.ts" && !atStart.has(`${from} → ${to}`)) return false;
      return to.startsWith("sandbox/") && !from.startsWith("sandbox/");
    }),
    [],
  );
});

Deno.test("there are no import cycles", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path);
    if (at !== -1) {
      cycles.push([...trail.slice(at), path].join(" → "));
      return;
    }
    if (done.has(path)) return;
    for (const to of graph.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
  assertEquals(cycles, []);
});
