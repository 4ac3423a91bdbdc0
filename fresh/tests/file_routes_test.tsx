import { App, HttpError, type Middleware, page, type PageProps } from "fresh";
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { orderRouteFiles, type RouteModule } from "../src/server/file_routes.ts";
import { appWith, bodyOf, type Client, clientOf, quietly, Wrapper } from "./setup.tsx";

interface State {
  trail?: string[];
}

const mark = (name: string): Middleware<State> => (ctx) => {
  (ctx.state.trail ??= []).push(name);
  return ctx.next();
};
const heading = (text: string): RouteModule<State> => ({
  default: ({ params, state }: PageProps<unknown, State>) => (
    <h1 data-trail={state.trail?.join(" ")}>{[text, ...Object.values(params)].join(" ")}</h1>
  ),
});

const ROUTES: Record<string, RouteModule<State>> = {
  _app: { default: Wrapper },
  _middleware: { handler: mark("root") },
  index: heading("home"),
  about: {
    handler: {
      GET: () => page("about", { status: 203, headers: { "x-page": "about" } }),
      POST: (ctx) => ctx.redirect("/about", 303),
    },
    default: ({ data }: PageProps<string>) => <h1>{data}</h1>,
  },
  "blog/_middleware": { default: [mark("blog1"), mark("blog2")] },
  "blog/index": heading("blog"),
  "blog/archive": heading("archive"),
  "blog/[slug]": heading("post"),
  "list/[[page]]": heading("list"),
  "api/time": {
    handlers: {
      GET: (ctx) => ctx.json(ctx.state.trail),
      DELETE: () => new Response(null, { status: 204 }),
    },
  },
  "api/any": { handler: (ctx) => new Response(ctx.req.method) },
};

const client = async () => clientOf((await appWith<State>({ routes: ROUTES })).fsRoutes());

Deno.test("files become pages with the middlewares of their folders", async () => {
  const send = await client();
  const root = (text: string) => `<h1 data-trail="root">${text}</h1>`;
  const blog = (text: string) => `<h1 data-trail="root blog1 blog2">${text}</h1>`;
  const table: Record<string, string> = {
    "/": root("home"),
    "/blog": blog("blog"),
    "/blog/archive": blog("archive"),
    "/blog/first": blog("post first"),
    "/list": root("list "),
    "/list/2": root("list 2"),
  };
  for (const [path, body] of Object.entries(table)) {
    const response = await send(path);
    assertEquals([path, response.status, bodyOf(await response.text())], [path, 200, body]);
    assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
  }
  for (const path of ["/_app", "/_middleware", "/index", "/about/x", "/list/2/3"]) {
    assertEquals([path, (await send(path)).status], [path, 404]);
  }
});

Deno.test("a handler whose method is in lower case is not used", async () => {
  const handler = { get: () => new Response("got"), POST: () => new Response("posted") };
  const routes = { api: { handler } } as Record<string, RouteModule<State>>;
  const send = clientOf((await appWith<State>({ routes })).fsRoutes());
  assertEquals((await send("/api")).status, 405);
  assertEquals(await (await send("/api", { method: "POST" })).text(), "posted");
  assertEquals((await send("/api", { method: "PUT" })).headers.get("allow"), "POST");
});

Deno.test("an async page or app wrapper is awaited, and may return a response", async () => {
  const routes: Record<string, RouteModule<State>> = {
    _app: {
      default: async (props: PageProps) => {
        if (props.url.search === "?app") return new Response("app", { status: 203 });
        return await Promise.resolve(<Wrapper {...props} />);
      },
    },
    index: {
      default: async ({ url }: PageProps) => <h1>{await Promise.resolve(url.pathname)}</h1>,
    },
    // deno-lint-ignore require-await
    none: { default: async () => null },
    // deno-lint-ignore require-await
    response: { default: async () => new Response("own", { status: 202 }) },
    failing: { default: async () => await Promise.reject(new HttpError(410)) },
  };
  const send = clientOf((await appWith<State>({ routes })).fsRoutes());
  const table: Record<string, [status: number, body: string]> = {
    "/": [200, "<h1>/</h1>"],
    "/none": [200, ""],
    "/response": [202, "own"],
    "/?app": [203, "app"],
    "/failing": [410, "Gone"],
  };
  for (const [path, expected] of Object.entries(table)) {
    const response = await send(path);
    assertEquals([path, response.status, bodyOf(await response.text())], [path, ...expected]);
  }
});

Deno.test("of two files for a path, the one in the folder is used, with a warning", async () => {
  const text = (text: string) => ({ handler: { GET: () => new Response(text) } });
  for (const [file, path] of [["dup", "/dup"], ["[id]", "/7"]]) {
    const routes = { [file]: text("file"), [`${file}/index`]: text("folder") };
    const app = (await appWith<State>({ routes })).fsRoutes();
    let send: Client;
    assertMatch(await quietly(() => send = clientOf(app)), /^Two routes for GET /);
    assertEquals(await (await send!(path)).text(), "folder");
  }
});

Deno.test("a _middleware with handlers by method is skipped, with a warning", async () => {
  const routes: Record<string, RouteModule<State>> = {
    "x/_middleware": { handler: { GET: () => new Response("middleware") } },
    "x/index": { handler: () => new Response("route") },
  };
  const app = (await appWith<State>({ routes })).fsRoutes();
  let send: Client;
  assertMatch(await quietly(() => send = clientOf(app)), /^routes\/x\/_middleware /);
  assertEquals(await (await send!("/x")).text(), "route");
});

Deno.test("a page without a handler gets an empty object as its data, the app wrapper null", async () => {
  const seen: unknown[] = [];
  const routes: Record<string, RouteModule<State>> = {
    _app: { default: (props: PageProps) => (seen.push(props.data), <Wrapper {...props} />) },
    index: { default: ({ data }: PageProps) => (seen.push(data), null) },
  };
  await clientOf((await appWith<State>({ routes })).fsRoutes())("/");
  assertEquals(seen, [{}, null]);
});

Deno.test("handlers by method return data for the page, or a response", async () => {
  const send = await client();
  const about = await send("/about");
  assertEquals([about.status, about.headers.get("x-page")], [203, "about"]);
  assertMatch(await about.text(), /<h1>about<\/h1>/);
  const posted = await send("/about", { method: "POST" });
  assertEquals([posted.status, posted.headers.get("location")], [303, "/about"]);
  assertEquals(await (await send("/api/time")).json(), ["root"]);
  const statuses: Record<string, number> = {
    "DELETE /api/time": 204,
    "POST /api/time": 405,
    "DELETE /about": 405,
    "HEAD /about": 203,
    "HEAD /": 200,
    "POST /": 405,
  };
  for (const [line, status] of Object.entries(statuses)) {
    const [method, path] = line.split(" ");
    assertEquals([line, (await send(path, { method })).status], [line, status]);
  }
  for (const method of ["GET", "POST", "PATCH"]) {
    assertEquals(await (await send("/api/any", { method })).text(), method);
  }
});

Deno.test("a middleware can render an error page, also for a path without a route", async () => {
  const app = await appWith<State>({
    routes: {
      ...ROUTES,
      _middleware: {
        handler: async (ctx) => {
          try {
            return await ctx.next();
          } catch (error) {
            return ctx.render(<p>{(error as HttpError).status}</p>, { status: 500 });
          }
        },
      },
      "blog/broken": {
        handler: () => {
          throw new HttpError(410);
        },
      },
    },
  });
  const send = clientOf(app.fsRoutes());
  for (const [path, status] of [["/blog/broken", 410], ["/none", 404]] as const) {
    const response = await send(path);
    assertEquals(response.status, 500);
    assertEquals(bodyOf(await response.text()), `<p>${status}</p>`);
  }
});

Deno.test("fsRoutes() adds the routes at its place among the others", async () => {
  const app = (await appWith<State>({ routes: ROUTES })).use(mark("before"))
    .get("/early", () => new Response("early"))
    .fsRoutes()
    .get("/late", (ctx) => ctx.json(ctx.state.trail));
  const send = clientOf(app);
  assertEquals(await (await send("/early")).text(), "early");
  assertEquals(await (await send("/api/time")).json(), ["before", "root"]);
  // The root middleware of the files applies to everything after them.
  assertEquals(await (await send("/late")).json(), ["before", "root"]);
});

Deno.test("route files are ordered from specific to general", () => {
  const order = [
    "_app",
    "_middleware",
    "index",
    "about",
    "blog/_middleware",
    "blog/index",
    "blog/archive",
    "blog/[slug]/edit",
    "blog/[slug]",
    "blog/[...rest]",
    "zoo",
    "[lang]/index",
  ];
  const files = order.toReversed().map((name) => ({ name }));
  assertEquals(orderRouteFiles(files).map(({ name }) => name), order);
});

const UNUSABLE: Record<string, [file: string, module: RouteModule<State>, message: string]> = {
  "a route without exports": ["empty", {}, "routes/empty must export"],
  "a layout": ["_layout", heading("layout"), "not supported"],
  "a middleware that is not a function": ["_middleware", {}, "routes/_middleware must export"],
  "an app wrapper in a folder": ["blog/_app", { default: Wrapper }, "directly below routes/"],
  "an _error page": ["_error", heading("error"), "not supported"],
  "a _404 page": ["_404", heading("missing"), "not supported"],
  "a config": ["x", { ...heading("x"), config: {} } as RouteModule<State>, "not supported"],
  "a group": ["(group)/x", heading("x"), "Invalid route file name"],
};

for (const [name, [file, module, message]] of Object.entries(UNUSABLE)) {
  Deno.test(`fsRoutes() throws for ${name}`, async () => {
    const app = await appWith<State>({ routes: { [file]: module } });
    assertThrows(() => app.fsRoutes().handler(), Error, message);
  });
}

Deno.test("an app without a build has no file routes", async () => {
  assertEquals((await clientOf(new App().fsRoutes())("/")).status, 404);
});
