import { App, HttpError, type Middleware, page, type PageProps } from "fresh";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Client, clientOf, quietly } from "./client.ts";

interface State {
  trail: string[];
}

/** Notes its name on the way in, so that answers show who was passed. */
function mark(name: string): Middleware<State> {
  return (ctx) => {
    (ctx.state.trail ??= []).push(name);
    return ctx.next();
  };
}

const trail: Middleware<State> = (ctx) => ctx.text((ctx.state.trail ?? []).join(" "));
const said = (text: string): Middleware<State> => (ctx) =>
  ctx.text(`${text} ${ctx.route} ${JSON.stringify(ctx.params)}`);

/** Answers of one app: `METHOD path` → `status body`. */
async function answers(app: App<State>, table: Record<string, string>) {
  const client = clientOf(app);
  for (const [line, expected] of Object.entries(table)) {
    const [method, path] = line.split(" ");
    const response = await client(path, { method });
    assertEquals(`${response.status} ${await response.text()}`.trim(), expected, line);
  }
}

const TABLES: Record<string, [App<State>, Record<string, string>]> = {
  "use() holds for what is registered after it, outermost first": [
    new App<State>()
      .get("/before", trail)
      .use(mark("a"), mark("b"))
      .use(mark("c"))
      .get("/after", trail)
      .use(mark("d"))
      .get("/last", trail),
    { "GET /before": "200", "GET /after": "200 a b c", "GET /last": "200 a b c d" },
  ],
  "use() with a path holds there and below": [
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
  "a method's helper answers that method alone": [
    new App<State>()
      .get("/get", said("get"))
      .post("/post", said("post"))
      .put("/put", said("put"))
      .patch("/patch", said("patch"))
      .delete("/delete", said("delete"))
      .head("/head", (ctx) => ctx.text("", { status: 202 }))
      .get("/both", said("read"))
      .post("/both", said("write")),
    {
      "GET /get": "200 get /get {}",
      "POST /get": "405 405",
      "POST /post": "200 post /post {}",
      "GET /post": "405 405",
      "PUT /put": "200 put /put {}",
      "PATCH /patch": "200 patch /patch {}",
      "DELETE /delete": "200 delete /delete {}",
      "HEAD /head": "202",
      "GET /head": "405 405",
      "GET /both": "200 read /both {}",
      "POST /both": "200 write /both {}",
      "PUT /both": "405 405",
    },
  ],
  "several handlers of one route run in a row": [
    new App<State>().get("/", mark("one"), mark("two"), trail),
    { "GET /": "200 one two" },
  ],
  "static patterns match before dynamic ones, those in order of registration": [
    new App<State>()
      .get("/:any", said("any"))
      .get("/:other", said("other"))
      .get("/fixed", said("fixed"))
      .get("/deep/*", said("wild"))
      .get("/deep/:id", said("id")),
    {
      "GET /fixed": "200 fixed /fixed {}",
      "GET /x": '200 any /:any {"any":"x"}',
      "GET /deep/x": '200 wild /deep/* {"0":"x"}',
    },
  ],
  "a static pattern answers the other trailing-slash form too": [
    new App<State>().get("/plain", said("plain")).get("/slash/", said("slash")).get("/", said("/")),
    {
      "GET /plain/": "200 plain /plain {}",
      "GET /slash": "200 slash /slash/ {}",
      "GET /slash/": "200 slash /slash/ {}",
      "GET /": "200 / / {}",
      "GET /plain//": "200 plain /plain {}",
    },
  ],
  "parameters": [
    new App<State>()
      .get("/books/:id", said("book"))
      .get("/books/:id/pages/:page", said("page"))
      .get("/list{/:page}?", said("list"))
      .get("/files/:path*", said("files"))
      .get("/some/:path+", said("some"))
      .get("/number/:n(\\d+)", said("number"))
      .get("/v:major.:minor", said("version"))
      .get("/maybe/:x?", said("maybe")),
    {
      "GET /books/7": '200 book /books/:id {"id":"7"}',
      "GET /books/a%20b": '200 book /books/:id {"id":"a b"}',
      "GET /books/%E0%A4%A": '200 book /books/:id {"id":"%E0%A4%A"}',
      "GET /books/7/": "404 404",
      "GET /books/7/pages/2": '200 page /books/:id/pages/:page {"id":"7","page":"2"}',
      "GET /list": '200 list /list{/:page}? {"page":""}',
      "GET /list/2": '200 list /list{/:page}? {"page":"2"}',
      "GET /list/2/3": "404 404",
      "GET /files": '200 files /files/:path* {"path":""}',
      "GET /files/a": '200 files /files/:path* {"path":"a"}',
      "GET /files/a/b": '200 files /files/:path* {"path":"a/b"}',
      "GET /some": "404 404",
      "GET /some/a/b": '200 some /some/:path+ {"path":"a/b"}',
      "GET /number/12": '200 number /number/:n(\\d+) {"n":"12"}',
      "GET /number/x": "404 404",
      "GET /v1.20": '200 version /v:major.:minor {"major":"1","minor":"20"}',
      "GET /maybe": '200 maybe /maybe/:x? {"x":""}',
    },
  ],
  "mountApp() brings what the other app was told below a path": [
    new App<State>()
      .use(mark("outer"))
      .mountApp(
        "/shop",
        new App<State>().use(mark("inner")).get("/", trail).get("/cart/:id", said("cart")),
      )
      .get("/", trail),
    {
      "GET /": "200 outer",
      "GET /shop": "200 outer inner",
      "GET /shop/cart/3": '200 cart /shop/cart/:id {"id":"3"}',
      "GET /cart/3": "404 404",
    },
  ],
  "basePath stands before every pattern": [
    new App<State>({ basePath: "/base" })
      .use(mark("all"))
      .use("/in", mark("in"))
      .get("/", trail)
      .get("/in/x", trail)
      .get("/in/:id", said("id")),
    {
      "GET /base": "200 all",
      "GET /base/": "200 all",
      "GET /base/in/x": "200 all in",
      "GET /base/in/y": '200 id /base/in/:id {"id":"y"}',
      "GET /in/x": "404 404",
      "GET /": "404 404",
    },
  ],
  "a lazy middleware is loaded by its first request": [
    new App<State>().use(() => Promise.resolve(mark("lazy"))).get("/", trail),
    { "GET /": "200 lazy" },
  ],
  "an unmatched URL runs the root middlewares only": [
    new App<State>()
      .use((ctx) => Promise.resolve(ctx.next()).catch(() => trail(ctx)))
      .use(mark("root"))
      .use("/admin", mark("admin"))
      .get("/admin/x", trail),
    { "GET /admin/unknown": "200 root", "GET /admin/x": "200 root admin" },
  ],
  "notFound() answers what nothing else does, with the error at hand": [
    new App<State>()
      .notFound((ctx) => ctx.text(`nothing: ${(ctx.error as HttpError).status}`, { status: 404 }))
      .get("/", () => {
        throw new HttpError(404);
      })
      .get("/:id", said("id")),
    {
      "GET /a/b": "404 nothing: 404",
      "GET /": "404 nothing: 404",
      "GET /a": '200 id /:id {"id":"a"}',
    },
  ],
  "onError() answers errors at its path and below, the nearest first": [
    new App<State>()
      .onError("*", (ctx) => ctx.text(`root: ${(ctx.error as Error).message}`, { status: 500 }))
      .onError("/in", (ctx) => ctx.text(`in: ${(ctx.error as Error).message}`, { status: 500 }))
      .get("/x", () => {
        throw new Error("x");
      })
      .get("/in/y", () => Promise.reject(new Error("y")))
      .use("/mw", () => {
        throw new HttpError(403, "no");
      })
      .get("/mw/z", trail),
    { "GET /x": "500 root: x", "GET /in/y": "500 in: y", "GET /mw/z": "500 root: no" },
  ],
  "a handler's own error in an error page reaches the next one out": [
    new App<State>()
      .onError("*", (ctx) => ctx.text(`root: ${(ctx.error as Error).message}`, { status: 500 }))
      .onError("/in", () => {
        throw new Error("again");
      })
      .get("/in/y", () => {
        throw new Error("first");
      }),
    { "GET /in/y": "500 root: again" },
  ],
};

for (const [name, [app, table]] of Object.entries(TABLES)) {
  Deno.test(name, () => answers(app, table));
}

Deno.test("all() answers every method", async () => {
  const client = clientOf(new App().all("/", (ctx) => ctx.text(ctx.req.method)));
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    assertEquals(await (await client("/", { method })).text(), method);
  }
});

Deno.test("HEAD is answered by GET, without a body", async () => {
  const client = clientOf(new App().get("/", (ctx) => ctx.text("body", { headers: { a: "b" } })));
  const response = await client("/", { method: "HEAD" });
  assertEquals([response.status, response.headers.get("a"), response.body], [200, "b", null]);
});

Deno.test("OPTIONS of a known path names its methods", async () => {
  const app = new App().get("/", (ctx) => ctx.text("")).post("/", (ctx) => ctx.text(""));
  const response = await clientOf(app)("/", { method: "OPTIONS" });
  assertEquals([response.status, response.headers.get("allow")], [204, "GET, POST, HEAD"]);
  assertEquals((await clientOf(app)("/none", { method: "OPTIONS" })).status, 404);
});

Deno.test("paths are matched in their normal form", async () => {
  const client: Client = clientOf(new App().get("/a/b", (ctx) => ctx.text(ctx.url.pathname)));
  for (const path of ["/a/b", "/a//b", "/a/./b", "/a/x/../b", "/a/%2e/b", "/a/b?q#h"]) {
    const response = await client(path);
    assertEquals([path, response.status, await response.text()], [path, 200, "/a/b"]);
  }
});

Deno.test("an invalid pattern is an error when the handler is made", () => {
  for (const pattern of ["/:id(", "/a}", "/{a"]) {
    let error: unknown;
    try {
      new App().get(pattern, (ctx) => ctx.text("")).handler();
    } catch (thrown) {
      error = thrown;
    }
    assert(error instanceof SyntaxError, `${pattern}: ${error}`);
  }
});

const Wrapper = ({ Component }: PageProps) => (
  <html>
    <head></head>
    <body>
      <Component />
    </body>
  </html>
);

Deno.test("pages stand in their layouts and the app wrapper", async () => {
  const layout = (name: string) => ({ Component }: PageProps) => (
    <div class={name}>
      <Component />
    </div>
  );
  const route = { component: () => <p>page</p> };
  const app = new App()
    .appWrapper(Wrapper)
    .layout("*", layout("root"))
    .layout("/in", layout("in"))
    .layout("/own", layout("own"), { skipInheritedLayouts: true })
    .layout("/bare", layout("bare"), { skipAppWrapper: true })
    .route("/", route)
    .route("/in/x", route)
    .route("/own/x", route)
    .route("/bare/x", route)
    .route("/alone", route, { skipInheritedLayouts: true })
    .route("/naked", { ...route, config: { skipAppWrapper: true, skipInheritedLayouts: true } });
  const client = clientOf(app);
  const document = (head: string, body: string) =>
    `<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`;
  const meta = '<meta charset="utf-8">';
  const table = {
    "/": document("", '<div class="root"><p>page</p></div>'),
    "/in/x": document("", '<div class="root"><div class="in"><p>page</p></div></div>'),
    "/own/x": document("", '<div class="own"><p>page</p></div>'),
    "/bare/x": document(meta, '<div class="root"><div class="bare"><p>page</p></div></div>'),
    "/alone": document("", "<p>page</p>"),
    "/naked": document(meta, "<p>page</p>"),
  };
  for (const [path, html] of Object.entries(table)) {
    const response = await client(path);
    assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals([path, await response.text()], [path, html]);
  }
});

Deno.test("route() takes a route or a function that loads one, once", async () => {
  let loads = 0;
  const route = {
    handler: { GET: () => page("read"), POST: () => page("write", { status: 201 }) },
    component: ({ data }: PageProps<string>) => <p>{data}</p>,
  };
  const client = clientOf(
    new App().route("/now", route).route("/lazy", () => {
      loads++;
      return Promise.resolve(route);
    }),
  );
  for (const path of ["/now", "/lazy", "/lazy"]) {
    const got = await client(path);
    assertMatch(await got.text(), /<p>read<\/p>/);
    const posted = await client(path, { method: "POST" });
    assertEquals(posted.status, 201);
    assertMatch(await posted.text(), /<p>write<\/p>/);
  }
  assertEquals(loads, 1);
});

Deno.test("a route's config chooses its methods and its pattern", async () => {
  const handler = (ctx: { req: Request }) => new Response(ctx.req.method);
  const client = clientOf(
    new App()
      .route("/some", { handler, config: { methods: ["PUT"] } })
      .route("/file", { handler, config: { routeOverride: "/shown/:id" } })
      .route("/read", { component: () => <p>read</p> }),
  );
  const table: Record<string, number> = {
    "PUT /some": 200,
    "GET /some": 405,
    "GET /shown/1": 200,
    "GET /file": 404,
    "GET /read": 200,
    "HEAD /read": 200,
    "POST /read": 405,
  };
  for (const [line, status] of Object.entries(table)) {
    const [method, path] = line.split(" ");
    assertEquals([line, (await client(path, { method })).status], [line, status]);
  }
});

Deno.test("an error becomes its status; an unknown one is a 500 without detail", async () => {
  const app = new App()
    .get("/teapot", () => {
      throw new HttpError(418, "short and stout");
    })
    .get("/silent", () => {
      throw new HttpError(410);
    })
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
    ["/silent", 410, "410", /^$/],
    ["/upstream", 503, "Internal Server Error", /secret host/],
    ["/broken", 500, "Internal Server Error", /secret detail/],
    ["/string", 500, "Internal Server Error", /secret/],
    ["/nothing", 500, "Internal Server Error", /instead of a Response/],
  ];
  for (const [path, status, body, logged] of table) {
    const log = await quietly(async () => {
      const response = await client(path);
      assertEquals([path, response.status, await response.text()], [path, status, body]);
    });
    assertMatch(log, logged);
  }
});

Deno.test("listen() serves on the port that it is given, until it is told to stop", async () => {
  const stop = new AbortController();
  const port = Promise.withResolvers<number>();
  const done = new App().get("/", (ctx) => ctx.text((ctx.info.remoteAddr as Deno.NetAddr).hostname))
    .listen({
      port: 0,
      hostname: "127.0.0.1",
      signal: stop.signal,
      onListen: (address) => port.resolve(address.port),
    });
  const response = await fetch(`http://127.0.0.1:${await port.promise}/`);
  assertEquals(await response.text(), "127.0.0.1");
  stop.abort();
  await done;
});

Deno.test("config holds every default", () => {
  const { config } = new App();
  assertEquals(
    [config.basePath, config.mode, config.trustProxy],
    ["", "production", false],
  );
});
