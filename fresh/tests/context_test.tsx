import { App, type Context, HttpError, type PageProps } from "fresh";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { appWith, bodyOf, clientOf, Wrapper } from "./setup.tsx";

/** Returns what `fn` makes of the context of a request. */
async function within<T>(path: string, fn: (ctx: Context<unknown>) => T, init?: RequestInit) {
  let result: { value: Awaited<T> } | undefined;
  const app = new App().use(async (ctx) => {
    result = { value: await fn(ctx) };
    return new Response();
  }).all("/a/:id", () => new Response());
  await clientOf(app)(path, init);
  return result!.value;
}

Deno.test("redirect() collapses double slashes in paths and leaves other URLs unchanged", async () => {
  const table: [to: string, location: string][] = [
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
  await within("/", (ctx) => {
    for (const [to, location] of table) {
      const { status, headers, body } = ctx.redirect(to);
      assertEquals([to, status, headers.get("location"), body], [to, 302, location, null]);
    }
    assertEquals(ctx.redirect("/", 303).status, 303);
  });
});

Deno.test("json() sets the content type, and the given status and headers", async () => {
  const response = await within(
    "/",
    (ctx) => ctx.json({ n: 1 }, { status: 201, headers: { a: "b" } }),
  );
  const { status, headers } = response;
  assertEquals([status, headers.get("a"), await response.text()], [201, "b", '{"n":1}']);
  assertEquals(headers.get("content-type"), "application/json");
});

Deno.test("a context has the request, its URL, route, parameters, state and connection", async () => {
  const seen = await within("/a//b?q=1//2", (ctx) => ({
    method: ctx.req.method,
    url: ctx.url.href,
    route: ctx.route,
    params: { ...ctx.params },
    state: ctx.state,
    error: ctx.error,
    transport: ctx.info.remoteAddr.transport,
  }), { method: "PUT" });
  assertEquals(seen, {
    method: "PUT",
    url: "http://localhost/a/b?q=1//2",
    route: "/a/:id",
    params: { id: "b" },
    state: {},
    error: null,
    transport: "tcp",
  });
});

Deno.test("each request has its own state", async () => {
  const app = new App<{ n?: number }>().get("/", (ctx) => {
    ctx.state.n = (ctx.state.n ?? 0) + 1;
    return ctx.json(ctx.state.n);
  });
  const client = clientOf(app);
  assertEquals([await (await client("/")).json(), await (await client("/")).json()], [1, 1]);
});

Deno.test("route is null for a path without a route", async () => {
  let route: string | null | undefined;
  const app = new App().use((ctx) => {
    route = ctx.route;
    return ctx.next();
  });
  assertEquals((await clientOf(app)("/x")).status, 404);
  assertEquals(route, null);
});

Deno.test("next() returns the inner response, or rejects with the inner error", async () => {
  const errors: unknown[] = [];
  const app = new App()
    .use(async (ctx) => {
      try {
        const response = await ctx.next();
        response.headers.set("seen", "yes");
        return response;
      } catch (error) {
        errors.push(error);
        return new Response("caught");
      }
    })
    .get("/", () => new Response("fine"))
    .get("/error", () => {
      throw new HttpError(400, "sync");
    });
  const client = clientOf(app);
  assertEquals((await client("/")).headers.get("seen"), "yes");
  assertEquals(await (await client("/error")).text(), "caught");
  assertEquals(await (await client("/none")).text(), "caught");
  assertEquals(errors.map((error) => (error as HttpError).status), [400, 404]);
});

Deno.test("render() takes JSX or null, a status and headers", async () => {
  const app = (await appWith<unknown>({ routes: { _app: { default: Wrapper } } })).fsRoutes()
    .get("/", (ctx) => ctx.render(<p>{1}</p>, { status: 201, headers: { a: "b" } }))
    .get("/null", (ctx) => ctx.render(null));
  const client = clientOf(app);
  const response = await client("/");
  assertEquals([response.status, response.headers.get("a")], [201, "b"]);
  assertEquals(
    await response.text(),
    "<!DOCTYPE html><html><head></head><body><p>1</p></body></html>",
  );
  assertEquals(bodyOf(await (await client("/null")).text()), "");
});

Deno.test("render() rejects for a value that is not JSX, and without an app wrapper", async () => {
  await within("/", async (ctx) => {
    await assertRejects(() => ctx.render("text" as never), Error, "JSX");
    await assertRejects(() => ctx.render(<p />), Error, "routes/_app.tsx");
  });
});

Deno.test("pages and the app wrapper receive the request as props", async () => {
  const seen: Record<string, PageProps<unknown, { user: string }>> = {};
  const record = (
    name: string,
    Outer = ({ Component }: PageProps<unknown, { user: string }>) => <Component />,
  ) =>
  (props: PageProps<unknown, { user: string }>) => {
    seen[name] = props;
    return <Outer {...props} />;
  };
  const app = await appWith<{ user: string }>({
    routes: {
      _app: { default: record("wrapper", Wrapper) },
      "[id]": { handler: () => ({ data: { n: 1 } }), default: record("page") },
    },
  });
  app.use((ctx) => {
    ctx.state.user = "ada";
    return ctx.next();
  }).fsRoutes();
  await clientOf(app)("/7?q=1");
  assertEquals(Object.keys(seen).sort(), ["page", "wrapper"]);
  for (
    const [name, { url, params, route, state, data, error, req, info }] of Object.entries(seen)
  ) {
    assertEquals({
      url: url.href,
      params: { ...params },
      route,
      state,
      data,
      error,
      method: req.method,
      transport: info.remoteAddr.transport,
    }, {
      url: "http://localhost/7?q=1",
      params: { id: "7" },
      route: "/:id",
      state: { user: "ada" },
      data: name === "page" ? { n: 1 } : null,
      error: null,
      method: "GET",
      transport: "tcp",
    }, name);
  }
});

Deno.test("the app wrapper sees changes that the page makes to the state", async () => {
  interface State {
    title?: string;
  }
  const app = await appWith<State>({
    routes: {
      _app: {
        default: ({ Component, state }: PageProps<unknown, State>) => (
          <html>
            <head>
              <title>{state.title}</title>
            </head>
            <body>
              <Component />
            </body>
          </html>
        ),
      },
      index: {
        default: ({ state }: PageProps<unknown, State>) => {
          state.title = "from the page";
          return <p />;
        },
      },
    },
  });
  const html = await (await clientOf(app.fsRoutes())("/")).text();
  assertMatch(html, /<title>from the page<\/title>/);
});
