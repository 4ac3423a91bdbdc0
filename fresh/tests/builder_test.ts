import { App, staticFiles } from "fresh";
import { Builder, type BuildOptions } from "fresh/dev";
import { asset } from "fresh/runtime";
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { type Client, clientOf } from "./client.ts";
import { copyOfSite } from "./site.ts";

/** Builds a site in memory and asks an app that has it. */
async function built(
  root: string,
  options: BuildOptions = {},
  prepare: (builder: Builder) => void = () => {},
) {
  const builder = new Builder({ root, ...options });
  prepare(builder);
  const apply = await builder.build({ snapshot: "memory" });
  const app = new App().use(staticFiles()).fsRoutes();
  apply(app);
  return { client: clientOf(app), key: builder.config.buildId };
}

/** Every script that a page loads, by address. */
async function scripts(client: Client, path: string): Promise<Map<string, string>> {
  const html = await (await client(path)).text();
  const found = new Map<string, string>();
  const visit = async (code: string, base: string) => {
    for (const [, specifier] of code.matchAll(/(?:\bfrom|\bimport)\s*"([^"]+)"/g)) {
      const { pathname } = new URL(specifier, `http://localhost${base}`);
      if (found.has(pathname)) continue;
      const response = await client(pathname);
      assertEquals([pathname, response.status], [pathname, 200]);
      assertEquals(response.headers.get("content-type"), "text/javascript; charset=utf-8");
      found.set(pathname, await response.text());
      await visit(found.get(pathname)!, pathname);
    }
  };
  await visit(html, path);
  return found;
}

Deno.test("a build in memory serves the site, its scripts and its static files", async () => {
  await using site = await copyOfSite();
  const { client, key } = await built(site.root);
  assertEquals((await client("/islands")).status, 200);
  const found = await scripts(client, "/islands");
  const names = [...found.keys()].map((path) => path.split("/").at(-1)!);
  for (const name of ["fresh-boot", "fresh-signals", "Counter", "Clock", "Shared"]) {
    assert(names.includes(`${name}.js`), `${name} in ${names}`);
  }
  for (const path of found.keys()) {
    assert(path.startsWith(`/_fresh/js/${key}/`));
    const { headers } = await client(path);
    assertEquals(headers.get("cache-control"), "public, max-age=31536000, immutable");
  }
  assertEquals(await (await client("/sub/hello.txt")).text(), "hello\n");
  assertEquals((await client(asset("/site.css"))).headers.get("cache-control")?.length, 35);
  for (const path of ["/metafile.json", `/_fresh/js/${key}/metafile.json`, "/_fresh/server.js"]) {
    assertEquals([path, (await client(path)).status], [path, 404]);
  }
});

Deno.test("scripts hold what a page needs: none without islands, signals only where used", async () => {
  await using site = await copyOfSite();
  const { client } = await built(site.root);
  assertEquals((await scripts(client, "/about")).size, 0);
  const root = [...(await scripts(client, "/root")).values()].join("\n");
  assertEquals(root.includes("preact-signals"), false);
  const islands = [...(await scripts(client, "/islands")).values()].join("\n");
  assertEquals(islands.match(/Symbol\.for\("preact-signals"\)/g)?.length, 1);
});

Deno.test("the key changes with what is built, and only then", async () => {
  await using site = await copyOfSite();
  const { root } = site;
  const keys = new Set<string>();
  const key = async () => (await built(root)).key;
  const change = async (path: string, fn: (text: string) => string) => {
    await Deno.writeTextFile(`${root}/${path}`, fn(await Deno.readTextFile(`${root}/${path}`)));
    const now = await key();
    assertEquals(keys.has(now), false, path);
    keys.add(now);
  };
  const first = await key();
  keys.add(first);
  assertMatch(first, /^[\da-f]{16}$/);
  assertEquals(await key(), first);
  await using other = await copyOfSite();
  assertEquals((await built(other.root)).key, first, "the same from another folder");
  await change("static/site.css", (css) => css.replace("black", "navy"));
  await change("islands/Counter.tsx", (code) => code.replace("<output>", '<output title="x">'));
});

Deno.test("a development build is not minified and reloads its pages", async () => {
  await using site = await copyOfSite();
  const builder = new Builder({ root: site.root });
  const apply = await builder.build({ mode: "development", snapshot: "memory" });
  const app = new App().use(staticFiles()).fsRoutes();
  apply(app);
  assertEquals(app.config.mode, "development");
  const client = clientOf(app);
  const found = await scripts(client, "/root");
  assert([...found.values()].some((code) => code.includes("\n  ")));
  const html = await (await client("/about")).text();
  const reload = html.match(/<script type="module"[^>]* src="([^"]*fresh-reload\.js)"/)![1];
  const response = await client(reload);
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-cache"]);
  assertMatch(await response.text(), /EventSource/);
});

Deno.test("registerIsland() adds islands from outside the island folder", async () => {
  await using site = await copyOfSite();
  const { root } = site;
  await Deno.mkdir(`${root}/components`);
  await Deno.rename(`${root}/islands/Counter.tsx`, `${root}/components/my-counter.tsx`);
  await Deno.writeTextFile(
    `${root}/routes/registered.tsx`,
    'import Counter from "../components/my-counter.tsx";\n' +
      'export default () => <Counter id="x" start={1} />;\n',
  );
  for (const file of ["islands.tsx", "slots.tsx", "root.tsx"]) {
    await Deno.remove(`${root}/routes/${file}`);
  }
  const specifiers = ["./components/my-counter.tsx", `file://${root}/components/my-counter.tsx`];
  for (const specifier of specifiers) {
    const { client } = await built(root, {}, (builder) => builder.registerIsland(specifier));
    assertMatch(await (await client("/registered")).text(), /<!--frsh:island:MyCounter:0:-->/);
    assert(
      [...(await scripts(client, "/registered")).keys()].some((path) =>
        path.endsWith("/MyCounter.js")
      ),
    );
  }
  const { client } = await built(root);
  assertEquals((await scripts(client, "/registered")).size, 0);
});

Deno.test("islands: several exports of a file, and files of one name", async () => {
  await using site = await copyOfSite();
  const { client } = await built(site.root);
  const html = await (await client("/islands")).text();
  const names = [...html.matchAll(/<!--frsh:island:(\w+):/g)].map(([, name]) => name);
  assertEquals(names, [
    "Counter",
    "Counter",
    "Shared",
    "Shared",
    "Clock",
    "Clock_Stopped",
    "Same",
    "Same_1",
  ]);
  const found = await scripts(client, "/islands");
  const code = (name: string) =>
    [...found].find(([path]) => path.endsWith(`/${name}.js`))?.[1] ?? "";
  assertMatch(code("Same"), /left alive/);
  assertMatch(code("Same_1"), /right alive/);
  assertEquals(html.includes("NOT_A_COMPONENT"), false);
});

Deno.test("ignore: files that are neither routes nor islands", async () => {
  await using site = await copyOfSite();
  await Deno.writeTextFile(`${site.root}/routes/draft.tsx`, "export default () => null;\n");
  const ignore = [/[._]test\.tsx?$/, /draft/, /islands\.tsx$/];
  const { client } = await built(site.root, { ignore });
  assertEquals((await client("/draft")).status, 404);
  assertEquals((await client("/islands")).status, 404);
  assertEquals((await client("/about")).status, 200);
});

Deno.test("target lowers the scripts' syntax", async () => {
  await using site = await copyOfSite();
  await Deno.writeTextFile(
    `${site.root}/islands/Counter.tsx`,
    `import { useState } from "preact/hooks";
export default function Counter(props: { id: string; start: number | bigint }) {
  const [n] = useState<{ a?: number } | null>(null);
  return <p id={props.id}>{n?.a ?? "modern"}</p>;
}
`,
  );
  const counter = async (options: BuildOptions) => {
    const found = await scripts((await built(site.root, options)).client, "/root");
    return [...found].find(([path]) => path.endsWith("/Counter.js"))![1];
  };
  const lowered = await counter({ target: "es2019" });
  assertMatch(lowered, /"modern"/);
  assertEquals(/\?\.|\?\?/.test(lowered), false);
  const kept = await counter({ target: ["chrome120", "firefox120"] });
  assertMatch(kept, /\?\./);
  assertMatch(await counter({}), /\?\./);
});

Deno.test("sourceMap: linked, external or inline", async () => {
  await using site = await copyOfSite();
  const map = async (kind: NonNullable<BuildOptions["sourceMap"]>["kind"]) => {
    const { client, key } = await built(site.root, { sourceMap: { kind } });
    const code = await (await client(`/_fresh/js/${key}/Counter.js`)).text();
    const file = await client(`/_fresh/js/${key}/Counter.js.map`);
    return [code.match(/sourceMappingURL=(.{5})/)?.[1], file.status];
  };
  assertEquals(await map("linked"), ["Count", 200]);
  assertEquals(await map(true), ["Count", 200]);
  assertEquals(await map("external"), [undefined, 200]);
  assertEquals(await map("inline"), ["data:", 404]);
  assertEquals(await map(false), [undefined, 404]);
});

Deno.test("a build on disk is whole, replaces the one before, and is served by its module", async () => {
  await using site = await copyOfSite();
  const { root } = site;
  await Deno.mkdir(`${root}/_fresh/static/_fresh/js/old`, { recursive: true });
  await Deno.writeTextFile(`${root}/_fresh/static/_fresh/js/old/a.js`, "old");
  const builder = new Builder({ root });
  await builder.build();
  const key = builder.config.buildId;
  const folders = await Array.fromAsync(Deno.readDir(`${root}/_fresh/static/_fresh/js`));
  assertEquals(folders.map(({ name }) => name), [key]);

  const module = await import(`file://${root}/_fresh/server.js`);
  const client: Client = (path, init) =>
    module.default.fetch(new Request(`http://localhost${path}`, init));
  assertMatch(await (await client("/about")).text(), /<h1>about<\/h1>/);
  assert((await scripts(client, "/islands")).size > 5);
  assertEquals(await (await client("/sub/hello.txt")).text(), "hello\n");
  assertEquals((await client("/_fresh/server.js")).status, 404);
  assertEquals((await client("/metafile.json")).status, 404);
});

Deno.test("a build of a site with nothing in it", async () => {
  await using site = await copyOfSite();
  for (const folder of ["routes", "islands", "static"]) {
    await Deno.remove(`${site.root}/${folder}`, { recursive: true });
  }
  const { client, key } = await built(site.root);
  assertEquals((await client("/")).status, 404);
  assertNotEquals(key, "");
});

Deno.test("an island that does not build is an error that says where", async () => {
  await using site = await copyOfSite();
  await Deno.writeTextFile(
    `${site.root}/islands/Bad.tsx`,
    'import { nothing } from "./nowhere.ts";\nexport default () => nothing;\n',
  );
  await assertRejects(() => built(site.root), Error, "nowhere.ts");
});

Deno.test("a route that exports nothing of use is an error that names it", async () => {
  await using site = await copyOfSite();
  await Deno.writeTextFile(`${site.root}/routes/empty.ts`, "export const nothing = 1;\n");
  await assertRejects(() => built(site.root), TypeError, "routes/empty");
});
