import { App, HttpError, type Middleware } from "fresh";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type Client, clientOf, quietly } from "./setup.tsx";

interface State {
  trail: string[];
}

/** Records its name on the way in. */
function mark(name: string): Middleware<State> {
  return (ctx) => {
    (ctx.state.trail ??= []).push(name);
    return ctx.next();
  };
}

const trail: Middleware<State> = (ctx) => new Response((ctx.state.trail ?? []).join(" "));
const echo = (text: string): Middleware<State> => (ctx) =>
  new Response(`${text} ${ctx.route} ${JSON.stringify(ctx.params)}`);

/** For each app: `METHOD path` and the expected `status body`. */
const TABLES: Record<string, [() => App<State>, Record<string, string>]> = {
  "use() applies to routes added after it, outermost first": [
    () =>
      new App<State>()
        .get("/before", trail)
        .use(mark("a"), mark("b"))
        .use(mark("c"))
        .get("/after", trail)
        .use(mark("d"))
        .get("/last", trail),
    { "GET /before": "200", "GET /after": "200 a b c", "GET /last": "200 a b c d" },
  ],
  "use() with a path applies at and below the path": [
    () =>
      new App<State>()
        .use(mark("all"))
        .use("/admin", mark("admin"))
        .use("/admin/users", mark("users"))
        .get("/", trail)
        .get("/admin", trail)
        .get("/admin/users", trail)
        .get("/admin/users/:id", trail)
        .get("/administration", trail),
    {
      "GET /": "200 all",
      "GET /admin": "200 all admin",
      "GET /admin/users": "200 all admin users",
      "GET /admin/users/7": "200 all admin users",
      "GET /administration": "200 all",
    },
  ],
  "get() handles GET and HEAD, all() every method": [
    () => new App<State>().get("/get", echo("get")).all("/all", echo("all")),
    {
      "GET /get": "200 get /get {}",
      "HEAD /get": "200",
      "POST /get": "405 Method Not Allowed",
      "GET /all": "200 all /all {}",
      "HEAD /all": "200",
      "POST /all": "200 all /all {}",
      "PUT /all": "200 all /all {}",
      "PATCH /all": "200 all /all {}",
      "DELETE /all": "200 all /all {}",
      "OPTIONS /all": "200 all /all {}",
    },
  ],
  "static patterns match before dynamic ones, which match in the order of their addition": [
    () =>
      new App<State>()
        .get("/:any", echo("any"))
        .get("/:other", echo("other"))
        .get("/fixed", echo("fixed"))
        .get("/deep{/:x}?", echo("optional"))
        .get("/deep/:id", echo("id")),
    {
      "GET /fixed": "200 fixed /fixed {}",
      "GET /x": '200 any /:any {"any":"x"}',
      "GET /deep/x": '200 optional /deep{/:x}? {"x":"x"}',
    },
  ],
  "a static pattern also matches with or without a trailing slash, a dynamic one doesn't": [
    () =>
      new App<State>()
        .get("/plain", echo("plain"))
        .get("/slash/", echo("slash"))
        .get("/", echo("/"))
        .get("/books/:id", echo("book")),
    {
      "GET /plain/": "200 plain /plain {}",
      "GET /slash": "200 slash /slash/ {}",
      "GET /slash/": "200 slash /slash/ {}",
      "GET /": "200 / / {}",
      "GET /plain//": "200 plain /plain {}",
      "GET /books/7": '200 book /books/:id {"id":"7"}',
      "GET /books/7/": "404 Not Found",
      "GET /books/a%20b": '200 book /books/:id {"id":"a b"}',
      "GET /books/%E0%A4%A": '200 book /books/:id {"id":"%E0%A4%A"}',
    },
  ],
  "an unknown path runs the root middlewares only": [
    () =>
      new App<State>()
        .use((ctx) => Promise.resolve(ctx.next()).catch(() => trail(ctx)))
        .use(mark("root"))
        .use("/admin", mark("admin"))
        .get("/admin/x", trail),
    { "GET /admin/unknown": "200 root", "GET /admin/x": "200 root admin" },
  ],
};

for (const [name, [createApp, table]] of Object.entries(TABLES)) {
  Deno.test(name, async () => {
    const client = clientOf(createApp());
    for (const [line, expected] of Object.entries(table)) {
      const [method, path] = line.split(" ");
      const response = await client(path, { method });
      assertEquals(`${response.status} ${await response.text()}`.trim(), expected, line);
    }
  });
}

Deno.test("HEAD returns the headers of GET without the body", async () => {
  const client = clientOf(new App().get("/", () => new Response("body", { headers: { a: "b" } })));
  const response = await client("/", { method: "HEAD" });
  assertEquals(
    [response.status, response.headers.get("a"), response.headers.get("content-length")],
    [200, "b", null],
  );
  assert(response.body !== null, "without a body, Deno would send Content-Length: 0");
  assertEquals(await response.text(), "");
});

Deno.test("OPTIONS returns the methods of a route, and 404 without one", async () => {
  const client = clientOf(new App().get("/", () => new Response("")));
  const response = await client("/", { method: "OPTIONS" });
  assertEquals([response.status, response.headers.get("allow")], [204, "GET, HEAD"]);
  assertEquals((await client("/none", { method: "OPTIONS" })).status, 404);
});

Deno.test("paths are normalized before they are matched", async () => {
  const handler = new App().get("/a/b", (ctx) => new Response(ctx.url.pathname)).handler();
  for (const path of ["/a/b", "/a//b", "/a/./b", "/a/x/../b", "/a/%2e/b", "/a/b?q#h"]) {
    // Not `new Request()`, which would normalize the URL; a server's requests are not normalized.
    const request = { method: "GET", url: `http://localhost${path}` } as Request;
    const response = await handler(request);
    assertEquals([path, response.status, await response.text()], [path, 200, "/a/b"]);
  }
});

Deno.test("handler() throws for an invalid pattern", () => {
  const app = new App().get("/:id(", () => new Response());
  assertThrows(() => app.handler(), SyntaxError, "/:id(");
});

Deno.test("of two routes for a pattern and a method, the first is used, with a warning", async () => {
  const app = new App()
    .get("/a", () => new Response("first"))
    .all("/a", () => new Response("second"));
  let client: Client;
  assertEquals(
    await quietly(() => client = clientOf(app)),
    "Two routes for GET /a: the first one is used.",
  );
  assertEquals(await (await client!("/a")).text(), "first");
  assertEquals(await (await client!("/a", { method: "POST" })).text(), "second");
});

Deno.test("a request's method may be in lower case, and keeps it", async () => {
  const app = new App().all("/a", (ctx) => new Response(ctx.req.method));
  const response = await clientOf(app)("/a", { method: "patch" });
  assertEquals([response.status, await response.text()], [200, "patch"]);
});

Deno.test("a middleware whose next() threw finds the error in ctx.error", async () => {
  const seen: unknown[] = [];
  const look: Middleware<unknown> = async (ctx) => {
    assertEquals(ctx.error, null);
    try {
      return await ctx.next();
    } catch (error) {
      seen.push(ctx.error === error);
      throw error;
    }
  };
  const later = Promise.reject(new Error("later"));
  later.catch(() => {});
  const app = new App()
    .use(look, look)
    .get("/sync", () => {
      throw new HttpError(410);
    })
    .get("/async", () => later);
  const client = clientOf(app);
  await quietly(async () => {
    for (const path of ["/sync", "/async", "/unknown"]) await client(path);
  });
  assertEquals(seen, Array(6).fill(true));
});

Deno.test("an HttpError returns its status; any other error returns 500 without details", async () => {
  const app = new App()
    .get("/teapot", () => {
      throw new HttpError(418, "short and stout");
    })
    .get("/silent", () => Promise.reject(new HttpError(410)))
    .get("/upstream", () => {
      throw new HttpError(503, "secret host");
    })
    .get("/broken", () => {
      throw new Error("secret detail");
    })
    .get("/string", () => {
      throw "secret";
    })
    .get("/nothing", (() => undefined) as unknown as Middleware<unknown>);
  const client = clientOf(app);
  const table: [path: string, status: number, body: string, logged: RegExp][] = [
    ["/teapot", 418, "short and stout", /^$/],
    ["/silent", 410, "Gone", /^$/],
    ["/upstream", 503, "Internal server error", /secret host/],
    ["/broken", 500, "Internal server error", /secret detail/],
    ["/string", 500, "Internal server error", /secret/],
    ["/nothing", 500, "Internal server error", /instead of a Response/],
  ];
  for (const [path, status, body, logged] of table) {
    const log = await quietly(async () => {
      const response = await client(path);
      assertEquals([path, response.status, await response.text()], [path, status, body]);
    });
    assertMatch(log, logged);
  }
});
