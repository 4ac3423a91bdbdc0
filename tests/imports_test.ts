import { assertEquals } from "@std/assert";
import { FEATURES } from "../lib/app/features.ts";

/** The layers: each may import itself and those to its right. */
const LAYERS = ["routes", "islands", "components", "lib", "packages"];
/** The modules of packages that others may import, besides each `mod.ts`, with the reason. */
const ENTRY_POINTS: Readonly<Record<string, string>> = {
  "packages/proof/chain/mod.ts": "pages that verify chains load nothing of the log",
  "packages/proof/chain/event_hash.ts": "the contact module for other sites has at most 35 KB",
  "packages/proof/chain/kinds.ts": "the contact module needs the names of events alone",
  "packages/proof/chain/reader/read_json.ts":
    "pages know why reading failed before they load the verifier",
  "packages/proof/verify/sentence.ts": "pages word a finding before they load the verifier",
  "packages/proof/release/mod.ts": "it reads files",
  "packages/proof/release/published/versions.json": "pages need the hash of the newest version",
  "packages/proof/monitor/mod.ts": "it reads and writes files",
  "packages/proof/offline/mod.ts": "it reads files",
  "packages/proof/kit/mod.ts": "it starts programs, and has the vectors",
  "packages/pdf/light.ts": "mod.ts loads large libraries, which belong into threads",
};
/** The module that browsers and other verifiers load. */
const PROOF = "packages/proof/mod.ts";
/** The layers of `lib`, from the lowest: each may import itself and those before it. */
const LIB_LAYERS = ["base", "platform", "features", "app"];
/** The modules that start the site. They may import every layer. */
const ENTRIES = ["main.ts", "server.ts", "serve.ts", "dev.ts", "fresh.config.ts"];
const ROOT = new URL("..", import.meta.url).pathname;
const IMPORT = /^\s*(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

/** Imports of what throws the errors of requests. Clients of other servers read responses with `readChunks`. */
const REQUESTS =
  /import \{[^}]*\b((Request|Http)Error|unwrap|problemOf|checkInput|invalidInput|read(Input|Text|Bytes|Json|Webhook))\b[^}]*\} from "(fresh"|[./]+platform\/http\/)/;
/** The features that are servers of a protocol. */
const SERVERS = /^lib\/features\/(mcp|relay|witness)\//;

/** Imports that are evaluated when the importer is, as "importer → imported". */
const atStart = new Set<string>();
const graph = await importGraph();

/** Returns every source file with the files that it imports, as paths below the root. */
async function importGraph(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const path of ENTRIES) found.set(path, importsOf(path));
  const { links = [] } = JSON.parse(await Deno.readTextFile(ROOT + "deno.json"));
  const linked = links.map((link: string) => `${link.replace("./", "")}/src`);
  for (const folder of [...LAYERS, ...linked, "sandbox"]) await visit(folder);
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
  return [...text.matchAll(IMPORT)].map(([whole, fixed, dynamic]) => {
    const to = new URL(fixed ?? dynamic, `file:///${path}`).pathname.slice(1);
    if (fixed !== undefined && !/^\s*\w+ type\b/.test(whole)) atStart.add(`${path} → ${to}`);
    return to;
  });
}

const isTest = (path: string) => /_test\.tsx?$|\/testing\//.test(path);

/** Returns the imports of product code that break a rule, as "importer → imported". */
function violations(breaks: (from: string, to: string) => boolean): string[] {
  return [...graph].filter(([from]) => !isTest(from)).flatMap(([from, imports]) =>
    imports.filter((to) => breaks(from, to)).map((to) => `${from} → ${to}`)
  );
}

const layerOf = (path: string) => LAYERS.indexOf(path.split("/")[0]);
const packageOf = (path: string) => /^packages\/[^/]+(?=\/)/.exec(path)?.[0];
const featureOf = (path: string) => /^lib\/features\/([^/]+)\//.exec(path)?.[1];

/** A folder of `lib` such as `lib/features/chain`. */
const LIB_FOLDER = /^lib\/[^/]+\/[^/]+/;
/** A folder of the feature `records`, or the feature itself with what puts them together. */
const RECORDS_FOLDER = /^lib\/features\/records(\/[^/]+(?=\/))?/;
/** A feature's folder of `components`, or `components` itself with the shared views. */
const COMPONENTS_FOLDER = /^components(\/[^/]+(?=\/))?/;

/** Returns the folders that match a pattern with those that their files import. */
function folderGraph(pattern: RegExp): Map<string, Set<string>> {
  const folderOf = (path: string) => pattern.exec(path)?.[0];
  const folders = new Map<string, Set<string>>();
  for (const [from, imports] of graph) {
    const folder = folderOf(from);
    if (folder === undefined || isTest(from)) continue;
    const own = folders.get(folder) ?? new Set<string>();
    for (const other of imports.map(folderOf)) {
      if (other !== undefined && other !== folder) own.add(other);
    }
    folders.set(folder, own);
  }
  return folders;
}

/** Returns the shortest cycle of a graph, from a node back to itself; null if there is none. */
function shortestCycle(nodes: Map<string, Set<string>>): string | null {
  let shortest: string[] | null = null;
  for (const start of nodes.keys()) {
    const trails = [[start]];
    const seen = new Set<string>();
    for (let trail = trails.shift(); trail !== undefined; trail = trails.shift()) {
      if (shortest !== null && trail.length >= shortest.length) break;
      const next = nodes.get(trail.at(-1)!) ?? [];
      if (new Set(next).has(start)) {
        shortest = [...trail, start];
        break;
      }
      for (const node of next) {
        if (!seen.has(node)) trails.push([...trail, node]);
        seen.add(node);
      }
    }
  }
  return shortest?.join(" → ") ?? null;
}
const isMailTemplate = (path: string) => /mails?\.tsx$/.test(path);

Deno.test("imports go one way: routes, islands, components, lib, packages", () => {
  assertEquals(
    violations((from, to) => {
      if (from.startsWith("lib/app/middlewares/") && to.startsWith("components/")) return false;
      if (from.startsWith("packages/") && to.startsWith("lib/base/")) return false;
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

Deno.test("a layer of lib imports only itself and the layers below", () => {
  const libLayerOf = (path: string) => LIB_LAYERS.indexOf(path.split("/")[1]);
  assertEquals(
    violations((from, to) => {
      if (!from.startsWith("lib/") || !to.startsWith("lib/")) return false;
      return libLayerOf(from) === -1 || libLayerOf(to) > libLayerOf(from);
    }),
    [],
  );
});

Deno.test("a package imports lib/base and packages only, and lib/base imports no package", () => {
  assertEquals(
    violations((from, to) => {
      if (from.startsWith("lib/base/")) return packageOf(to) !== undefined;
      if (packageOf(from) === undefined) return false;
      return packageOf(to) === undefined && !to.startsWith("lib/base/");
    }),
    [],
  );
});

Deno.test("a package is imported through its mod.ts, and through the entry points that have a reason", () => {
  assertEquals(
    violations((from, to) => {
      const other = packageOf(to);
      if (other === undefined || other === packageOf(from)) return false;
      return to !== `${other}/mod.ts` && !(to in ENTRY_POINTS);
    }),
    [],
  );
});

Deno.test("no folder of lib imports another one that depends on it, types included", () => {
  assertEquals(shortestCycle(folderGraph(LIB_FOLDER)), null);
});

Deno.test("no folder of records imports another one that depends on it, and sign-in reaches neither recovery, notices nor deletion", () => {
  const folders = folderGraph(RECORDS_FOLDER);
  assertEquals(shortestCycle(folders), null);
  const reached = new Set(["sign_in", "sessions"].map((name) => `lib/features/records/${name}`));
  for (const folder of reached) folders.get(folder)!.forEach((to) => reached.add(to));
  assertEquals([...reached].map((path) => path.split("/").at(-1)).sort(), [
    "access_log",
    "record",
    "sessions",
    "sign_in",
  ]);
});

Deno.test("no folder of components imports another one that depends on it, types included", () => {
  assertEquals(shortestCycle(folderGraph(COMPONENTS_FOLDER)), null);
});

Deno.test("the folders of documents use only those before them: files, the documents themselves, access, checks", () => {
  const order = ["files", "documents", "access", "checks"];
  // These put the folders together, or are the same in all of them.
  const composing = /^lib\/features\/documents\/(mod|feature|tables|variables)\.ts$/;
  const placeOf = (path: string) => {
    const [, folder] = /^lib\/features\/documents\/(?:(\w+)\/)?\w+\.ts$/.exec(path) ?? [];
    return composing.test(path) ? -1 : order.indexOf(folder ?? "documents");
  };
  const isOurs = (path: string) => path.startsWith("lib/features/documents/");
  assertEquals(
    violations((from, to) =>
      isOurs(from) && isOurs(to) && placeOf(from) !== -1 && placeOf(to) > placeOf(from)
    ),
    [],
  );
});

Deno.test("a feature uses only features before it in the list, through their mod.ts, feature.ts or variables.ts", () => {
  const order = new Map<string, number>(FEATURES.map(({ name }, index) => [name, index]));
  // It has no description, and imports no feature itself.
  order.set("chart", -1);
  assertEquals(
    violations((from, to) => {
      const [own, other] = [featureOf(from), featureOf(to)];
      if (own === undefined || other === undefined || own === other) return false;
      if (!/\/(mod|feature|variables)\.ts$/.test(to)) return true;
      // Features that are not in the list are pages that only use others.
      return order.has(own) && (order.get(other) ?? Infinity) > order.get(own)!;
    }),
    [],
  );
});

Deno.test("a feature throws errors of requests, and reads their bodies, only in its http.ts", () => {
  const isAllowed = (path: string) => /\/http(\.ts$|\/)/.test(path) || SERVERS.test(path);
  const users = [...graph.keys()].filter((path) =>
    featureOf(path) !== undefined && !isTest(path) && !isAllowed(path) &&
    REQUESTS.test(Deno.readTextFileSync(ROOT + path))
  );
  assertEquals(users, []);
});

Deno.test("the package proof, with what it imports, uses nothing that browsers lack", () => {
  const reached = new Set([PROOF]);
  for (const path of reached) graph.get(path)!.forEach((to) => reached.add(to));
  const uses = [...reached].filter((path) =>
    /\bDeno\.|"node:/.test(Deno.readTextFileSync(ROOT + path).replaceAll(/^\s*\*.*$/gm, ""))
  );
  assertEquals([uses, reached.has("packages/proof/log/verify.ts")], [[], true]);
});

Deno.test("the list of features names each folder with a feature.ts", () => {
  const described = [...graph.keys()].filter((path) => path.endsWith("/feature.ts"))
    .flatMap((path) => featureOf(path) ?? []);
  assertEquals(FEATURES.map(({ name }) => name as string).sort(), described.sort());
});

Deno.test("every feature in components has the name of a feature in lib", async () => {
  const folders = async (path: string) => {
    const names: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(ROOT + path)) {
      if (isDirectory) names.push(name);
    }
    return names;
  };
  const features = new Set(await folders("lib/features"));
  const others = (await folders("components")).filter((name) => !features.has(name)).sort();
  // These pages belong to no domain.
  assertEquals(others, ["pages"], "Use a feature's folder, or add the new one to this list.");
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

Deno.test("the site loads the PDF library in threads only, because it is large", () => {
  const loaded = new Set(ENTRIES);
  for (const from of loaded) {
    for (const to of graph.get(from) ?? []) if (atStart.has(`${from} → ${to}`)) loaded.add(to);
  }
  assertEquals([loaded.has("packages/pdf/light.ts"), loaded.has("packages/pdf/mod.ts")], [
    true,
    false,
  ]);
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
