import { App, type Context, type FreshConfig, HttpError, type PageProps } from "fresh";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { clientOf } from "./client.ts";

// deno-lint-ignore no-explicit-any
type Ctx = Context<any>;

/** The context that a request of `path` gets, and what `fn` makes of it. */
async function within<T>(
  path: string,
  fn: (ctx: Ctx) => T,
  config?: FreshConfig,
  init?: RequestInit,
): Promise<Awaited<T>> {
  let result: { value: Awaited<T> } | undefined;
  const app = new App(config).all("/*", async (ctx) => {
    result = { value: await fn(ctx) };
    return ctx.text("");
  });
  await clientOf(app)(path, init);
  return result!.value;
}

const REDIRECTS: [to: string, location: string][] = [
  ["/a", "/a"],
  ["//evil.example", "/evil.example"],
  ["///evil.example//x", "/evil.example/x"],
  ["/a//b?next=//c", "/a/b?next=//c"],
  ["/a//b#//c", "/a/b#//c"],
  ["?a=//b", "?a=//b"],
  ["relative//path", "relative//path"],
  ["/\\evil.example", "/\\evil.example"],
  ["https://other.example//x", "https://other.example//x"],
];

Deno.test("redirect() collapses doubled slashes in paths and leaves the rest", async () => {
  await within("/", (ctx) => {
    for (const [to, location] of REDIRECTS) {
      const response = ctx.redirect(to);
      assertEquals(
        [to, response.status, response.headers.get("location"), response.body],
        [to, 302, location, null],
      );
    }
    assertEquals(ctx.redirect("/", 303).status, 303);
  });
});

Deno.test("text(), html() and json() set type, status and headers", async () => {
  const init = { status: 201, headers: { a: "b" } };
  const facts = async (response: Response) => [
    response.status,
    response.headers.get("content-type"),
    response.headers.get("a"),
    await response.text(),
  ];
  await within("/", async (ctx) => {
    const text = "text/plain;charset=UTF-8";
    const html = "text/html; charset=utf-8";
    assertEquals(await facts(ctx.text("hi", init)), [201, text, "b", "hi"]);
    assertEquals(await facts(ctx.html("<p>", init)), [201, html, "b", "<p>"]);
    assertEquals(await facts(ctx.json({ n: 1 }, init)), [
      201,
      "application/json",
      "b",
      '{"n":1}',
    ]);
    assertEquals(await facts(ctx.html("<p>")), [200, html, null, "<p>"]);
  });
});

Deno.test("stream() sends what an iterable yields, text as UTF-8", async () => {
  async function* later() {
    yield "é";
    await Promise.resolve();
    yield "b";
  }
  await within("/", async (ctx) => {
    assertEquals(await ctx.stream(["a", "é"]).text(), "aé");
    assertEquals(await ctx.stream([new Uint8Array([104, 105])]).text(), "hi");
    assertEquals(await ctx.stream(later()).text(), "éb");
    assertEquals(await ctx.stream(later).text(), "éb");
    const init = { status: 202, headers: { "content-type": "text/event-stream" } };
    const response = ctx.stream(later, init);
    assertEquals([response.status, response.headers.get("content-type")], [
      202,
      "text/event-stream",
    ]);
    await response.body!.cancel();
  });
});

Deno.test("url is the request's, doubled slashes in its path collapsed", async () => {
  const url = await within("/a//b?q=1//2", (ctx) => ctx.url);
  assert(url instanceof URL);
  assertEquals(url.href, "http://localhost/a/b?q=1//2");
});

Deno.test("url believes a proxy only where the app says so", async () => {
  const headers = {
    "x-forwarded-proto": "https, http",
    "x-forwarded-host": "site.example, inner",
  };
  const origin = (config: FreshConfig) => within("/", (ctx) => ctx.url.origin, config, { headers });
  assertEquals(await origin({}), "http://localhost");
  assertEquals(await origin({ trustProxy: true }), "https://site.example");
});

Deno.test("a context knows its request, route, parameters, config and connection", async () => {
  const seen = await within(
    "/a/b",
    (ctx) => ({
      method: ctx.req.method,
      route: ctx.route,
      params: { ...ctx.params },
      basePath: ctx.config.basePath,
      state: ctx.state,
      data: ctx.data,
      error: ctx.error,
      isPartial: ctx.isPartial,
      transport: ctx.info.remoteAddr.transport,
    }),
    { basePath: "" },
    { method: "PUT" },
  );
  assertEquals(seen, {
    method: "PUT",
    route: "/*",
    params: { 0: "a/b" },
    basePath: "",
    state: {},
    data: undefined,
    error: null,
    isPartial: false,
    transport: "tcp",
  });
});

Deno.test("state is each request's own", async () => {
  const app = new App<{ n?: number }>().get("/", (ctx) => {
    ctx.state.n = (ctx.state.n ?? 0) + 1;
    return ctx.json(ctx.state.n);
  });
  const client = clientOf(app);
  assertEquals([await (await client("/")).json(), await (await client("/")).json()], [1, 1]);
});

Deno.test("an unmatched request's context has no route", async () => {
  let route: string | null | undefined;
  const app = new App().use((ctx) => {
    route = ctx.route;
    return ctx.next();
  });
  assertEquals((await clientOf(app)("/x")).status, 404);
  assertEquals(route, null);
});

Deno.test("next() gives the answer further in, or rejects with its error", async () => {
  const errors: unknown[] = [];
  const app = new App()
    .use(async (ctx) => {
      try {
        const response = await ctx.next();
        response.headers.set("seen", "yes");
        return response;
      } catch (error) {
        errors.push(error);
        return ctx.text("caught");
      }
    })
    .get("/", (ctx) => ctx.text("fine"))
    .get("/error", () => {
      throw new HttpError(400, "sync");
    });
  const client = clientOf(app);
  assertEquals((await client("/")).headers.get("seen"), "yes");
  assertEquals(await (await client("/error")).text(), "caught");
  assertEquals(await (await client("/none")).text(), "caught");
  assertEquals(errors.map((error) => (error as HttpError).status), [400, 404]);
});

Deno.test("render() takes JSX or null, with the layouts and the wrapper that hold there", async () => {
  const layout = ({ Component }: PageProps) => (
    <main>
      <Component />
    </main>
  );
  const wrapper = ({ Component, url }: PageProps) => (
    <html>
      <head>
        <title>{url.pathname}</title>
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
  const app = new App()
    .appWrapper(wrapper)
    .layout("/in", layout)
    .get("/", (ctx) => ctx.render(<p>{1}</p>, { status: 201, headers: { a: "b" } }))
    .get("/null", (ctx) => ctx.render(null))
    .get("/in/x", (ctx) => ctx.render(<p>in</p>))
    .get("/in/bare", (ctx) => ctx.render(<p>bare</p>, {}, { skipInheritedLayouts: true }))
    .get("/in/naked", (ctx) => ctx.render(<p>naked</p>, {}, { skipAppWrapper: true }));
  const client = clientOf(app);
  const first = await client("/");
  assertEquals([first.status, first.headers.get("a")], [201, "b"]);
  assertMatch(await first.text(), /<title>\/<\/title>.*<body><p>1<\/p><\/body>/);
  const bodies: Record<string, string> = {
    "/null": "<body></body>",
    "/in/x": "<body><main><p>in</p></main></body>",
    "/in/bare": "<body><p>bare</p></body>",
    "/in/naked": "<body><main><p>naked</p></main></body>",
  };
  for (const [path, body] of Object.entries(bodies)) {
    const html = await (await client(path)).text();
    assertEquals([path, html.match(/<body>.*<\/body>/)?.[0]], [path, body]);
    assertEquals(html.includes("<title>"), path !== "/in/naked");
  }
});

Deno.test("a middleware renders with what surrounds its own place", async () => {
  const box = (name: string) => ({ Component }: PageProps) => (
    <div class={name}>
      <Component />
    </div>
  );
  const app = new App()
    .layout("*", box("root"))
    .use(async (ctx) => {
      const response = await ctx.next();
      return response.status === 204 ? ctx.render(<p>root's</p>) : response;
    })
    .layout("/in", box("in"))
    .get("/in/x", () => new Response(null, { status: 204 }));
  assertMatch(
    await (await clientOf(app)("/in/x")).text(),
    /<body><div class="root"><p>root.{1,5}s<\/p><\/div><\/body>/,
  );
});

Deno.test("render() refuses what is no JSX", async () => {
  await within("/", async (ctx) => {
    await assertRejects(async () => await ctx.render("text" as never), Error, "JSX");
  });
});

Deno.test("pages, layouts and the wrapper get the request's facts as props", async () => {
  const seen: Record<string, PageProps<unknown, { user: string }>> = {};
  const note = (name: string) => (props: PageProps<unknown, { user: string }>) => {
    seen[name] = props;
    return <props.Component />;
  };
  const app = new App<{ user: string }>()
    .appWrapper(note("wrapper"))
    .use((ctx) => {
      ctx.state.user = "ada";
      return ctx.next();
    })
    .layout("*", note("layout"))
    .route("/:id", { handler: () => ({ data: { n: 1 } }), component: note("page") });
  await clientOf(app)("/7?q=1");
  for (const [name, props] of Object.entries(seen)) {
    assertEquals({
      url: props.url.href,
      params: { ...props.params },
      route: props.route,
      state: props.state,
      data: props.data,
      error: props.error,
      isPartial: props.isPartial,
      mode: props.config.mode,
      method: props.req.method,
      info: props.info.remoteAddr.transport,
    }, {
      url: "http://localhost/7?q=1",
      params: { id: "7" },
      route: "/:id",
      state: { user: "ada" },
      data: { n: 1 },
      error: null,
      isPartial: false,
      mode: "production",
      method: "GET",
      info: "tcp",
    }, name);
  }
  assertEquals(Object.keys(seen).sort(), ["layout", "page", "wrapper"]);
});

Deno.test("the wrapper's head knows what the page did to the state", async () => {
  const app = new App<{ title?: string }>()
    .appWrapper(({ Component, state }: PageProps<unknown, { title?: string }>) => (
      <html>
        <head>
          <title>{state.title}</title>
        </head>
        <body>
          <Component />
        </body>
      </html>
    ))
    .route("/", {
      component: ({ state }: PageProps<unknown, { title?: string }>) => {
        state.title = "from the page";
        return <p />;
      },
    });
  assertMatch(await (await clientOf(app)("/")).text(), /<title>from the page<\/title>/);
});
