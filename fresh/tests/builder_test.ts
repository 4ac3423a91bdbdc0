import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Client, clientOf, copyOfSite } from "./setup.tsx";

type Apply = Awaited<ReturnType<Builder["build"]>>;

function clientOfBuild(apply: Apply): Client {
  const app = new App().use(staticFiles()).fsRoutes();
  apply(app);
  return clientOf(app);
}

/** Builds a site in memory. */
async function build(root: string, mode?: "development"): Promise<Client> {
  return clientOfBuild(await new Builder({ root }).build({ mode, snapshot: "memory" }));
}

/** Returns every script that a page loads, by path. */
async function scripts(client: Client, page: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const visit = async (code: string, base: string) => {
    for (const [, specifier] of code.matchAll(/(?:\bfrom|\bimport)\s*"([^"]+)"/g)) {
      const { pathname } = new URL(specifier, `http://localhost${base}`);
      if (found.has(pathname)) continue;
      const response = await client(pathname);
      assertEquals([pathname, response.status], [pathname, 200]);
      assertEquals(response.headers.get("content-type"), "text/javascript; charset=UTF-8");
      found.set(pathname, await response.text());
      await visit(found.get(pathname)!, pathname);
    }
  };
  await visit(await (await client(page)).text(), page);
  return found;
}

/** Returns the build key, which the site's pages contain. */
async function keyOf(client: Client): Promise<string> {
  return (await (await client("/about")).text()).match(/__frsh_c=([\da-f]{16})"/)![1];
}

Deno.test("a build on disk serves pages, scripts and static files", async (t) => {
  await using site = await copyOfSite();
  const { root } = site;
  await Deno.mkdir(`${root}/_fresh/static/_fresh/js/old`, { recursive: true });
  const memory = clientOfBuild(await new Builder({ root }).build());
  const module = await import(`file://${root}/_fresh/server.js`);
  const client: Client = (path, init) =>
    module.default.fetch(new Request(`http://localhost${path}`, init));
  const key = await keyOf(client);

  await t.step("the build replaces the one before", async () => {
    const folders = await Array.fromAsync(Deno.readDir(`${root}/_fresh/static/_fresh/js`));
    assertEquals(folders.map(({ name }) => name), [key]);
  });

  await t.step(
    "routes are found; tests, other files and the build's own files are not",
    async () => {
      const table: Record<string, number> = {
        "/about": 200,
        "/api/time": 200,
        "/site.css": 200,
        "/sub/hello.txt": 200,
        "/about_test": 404,
        "/about.test": 404,
        "/README": 404,
        "/README.md": 404,
        "/metafile.json": 404,
        "/server.js": 404,
        "/_fresh/server.js": 404,
      };
      for (const [path, status] of Object.entries(table)) {
        assertEquals([path, (await client(path)).status], [path, status]);
        assertEquals([path, (await memory(path)).status], [path, status]);
      }
      assertMatch(await (await client("/about")).text(), /<h1>about<\/h1>/);
      assertEquals(await (await client("/sub/hello.txt")).text(), "hello\n");
    },
  );

  await t.step("a page loads the scripts of its islands, which are immutable", async () => {
    const found = await scripts(client, "/islands");
    const page = await (await client("/islands")).text();
    const imported = [...page.matchAll(/import\{([^}]+)\}/g)].flatMap(([, names]) =>
      names.split(",")
    );
    const expected = ["boot", "Counter", "Clock", "Clock_Stopped", "Shared", "left$Same"];
    for (const name of expected) assert(imported.includes(name), `${name} in ${imported}`);
    for (const [path, code] of found) {
      assert(path.startsWith(`/_fresh/js/${key}/`), path);
      const { headers } = await client(path);
      assertEquals(headers.get("cache-control"), "public, max-age=31536000, immutable");
      assertEquals(await (await memory(path)).text(), code);
      assertEquals(code.includes("__FRSH"), false, path);
    }
    const html = await (await client("/islands")).text();
    const preloads = html.match(/<link rel="modulepreload"[^>]*>/g)!;
    assertEquals(new Set(preloads).size, preloads.length);
    const preloaded = preloads.map((tag) => /href="([^"]+)"/.exec(tag)![1]);
    assertEquals(preloaded.sort(), [...found.keys()].sort(), "all that the page loads");
  });

  await t.step(
    "a page without islands loads no script, one without signals no signals",
    async () => {
      assertEquals((await scripts(client, "/about")).size, 0);
      const library = /Symbol\.for\("preact-signals"\)/g;
      const all = async (page: string) => [...(await scripts(client, page)).values()].join("\n");
      assertEquals((await all("/root")).match(library), null);
      assertEquals((await all("/islands")).match(library)?.length, 1);
    },
  );

  await t.step("every function that an island module exports is an island", async () => {
    const html = await (await client("/islands")).text();
    const names = [...html.matchAll(/<!--frsh:island:([\w$]+):/g)].map(([, name]) => name);
    const own = ["Counter", "Counter", "Shared", "Shared", "Clock", "Clock_Stopped"];
    assertEquals(names, [...own, "left$Same", "right$Same"]);
    assertEquals(html.includes("NOT_A_COMPONENT"), false);
  });

  await t.step("the build key is the same for the same site in another folder", async () => {
    await using other = await copyOfSite();
    assertEquals(await keyOf(await build(other.root)), key);
  });

  await t.step("the build key changes with a static file and with an island", async () => {
    const keys = new Set([key]);
    const changes = [["static/site.css", "black", "navy"], [
      "islands/Counter.tsx",
      "<output>",
      '<output title="x">',
    ]];
    for (const [path, from, to] of changes) {
      const text = await Deno.readTextFile(`${root}/${path}`);
      await Deno.writeTextFile(`${root}/${path}`, text.replace(from, to));
      const changed = await keyOf(await build(root));
      assertEquals(keys.has(changed), false, path);
      keys.add(changed);
    }
  });
});

Deno.test("absolute paths in a stylesheet's url() get the build key, others stay", async () => {
  await using site = await copyOfSite();
  const css = (key: string) =>
    `a{b:url("/sub/hello.txt?__frsh_c=${key}") url(x.png) url("data:,") url("//h/x")}`;
  await Deno.writeTextFile(
    `${site.root}/static/site.css`,
    "a{b:url( '/sub/hello.txt' ) url(x.png) url(\"data:,\") url(//h/x)}",
  );
  const memory = clientOfBuild(await new Builder({ root: site.root }).build());
  const module = await import(`file://${site.root}/_fresh/server.js`);
  const disk: Client = (path) => module.default.fetch(new Request(`http://localhost${path}`));
  for (const client of [memory, disk]) {
    const expected = css(await keyOf(client));
    const response = await client("/site.css");
    assertEquals(await response.text(), expected);
    assertEquals(response.headers.get("content-length"), String(expected.length));
    const [, url] = /"(\/.*?)"/.exec(expected)!;
    const { headers } = await client(url);
    assertEquals(headers.get("cache-control"), "public, max-age=31536000, immutable");
  }
});

Deno.test("a development build is not minified and reloads its pages", async () => {
  await using site = await copyOfSite();
  const client = await build(site.root, "development");
  const found = await scripts(client, "/root");
  assert([...found.values()].some((code) => code.includes("\n  ")));
  const html = await (await client("/about")).text();
  const reload = html.match(/<script type="module"[^>]* src="([^"]*fresh-reload\.js)"/)![1];
  const response = await client(reload);
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-cache"]);
  assertMatch(await response.text(), /EventSource/);
});

Deno.test("an empty site can be built", async () => {
  await using site = await copyOfSite();
  for (const folder of ["routes", "islands", "static"]) {
    await Deno.remove(`${site.root}/${folder}`, { recursive: true });
  }
  assertEquals((await (await build(site.root))("/")).status, 404);
});

Deno.test("build() throws for an island with a missing import, and names the import", async () => {
  await using site = await copyOfSite();
  await Deno.writeTextFile(
    `${site.root}/islands/Bad.tsx`,
    'import { nothing } from "./nowhere.ts";\nexport default () => nothing;\n',
  );
  await assertRejects(() => build(site.root), Error, "nowhere.ts");
});

Deno.test("onTransformStaticFile changes the content of matching files, one after the other", async () => {
  await using site = await copyOfSite();
  const { root } = site;
  const text = await Deno.readTextFile(`${root}/static/site.css`);
  const seen: string[] = [];
  const builder = new Builder({ root });
  builder.onTransformStaticFile({ pluginName: "a", filter: /site\.css$/ }, ({ path, mode }) => {
    seen.push(path, mode);
  });
  const append = (rule: string) => ({ text }: { text: string }) => ({ content: text + rule });
  builder.onTransformStaticFile({ pluginName: "b", filter: /\.css$/ }, append("b{}"));
  builder.onTransformStaticFile({ pluginName: "c", filter: /\.css$/ }, append("c{}"));
  const client = clientOfBuild(await builder.build());
  const changed = await client("/site.css");
  const body = await changed.text();
  assert(body.endsWith("b{}c{}") && body.length >= text.length + 6, body);
  assertEquals(changed.headers.get("content-length"), String(body.length));
  assertEquals(seen, [`${root}/static/site.css`, "production"]);
  assertEquals(await Deno.readTextFile(`${root}/static/site.css`), text);
  assertEquals(await Deno.readTextFile(`${root}/_fresh/static/site.css`), body);
});
