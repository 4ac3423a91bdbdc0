import {
  App,
  type Context,
  createDefine,
  type Define,
  type HandlerByMethod,
  type HandlerFn,
  HttpError,
  type Method,
  type Middleware,
  page,
  type PageProps,
  type PageResponse,
  type RouteConfig,
  type RouteData,
  type RouteHandler,
} from "fresh";
import { HttpError as RuntimeHttpError, IS_BROWSER } from "fresh/runtime";
import type { ComponentProps } from "preact";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { clientOf } from "./client.ts";

interface State {
  user: string;
}
const define: Define<State> = createDefine<State>();

// Types are checked by the compiler: a wrong one does not build.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
function holds<_ extends true>(): void {}

const byMethod = define.handlers({
  GET: () => page({ name: "Ada" }, { status: 203, headers: { "x-page": "1" } }),
  POST: (ctx) => ctx.redirect(`/${ctx.state.user}`, 303),
});
const asFunction = define.handlers((ctx) => page({ count: ctx.state.user.length }));
const Page = define.page<typeof byMethod>(({ data, state }) => <p>{data.name} for {state.user}</p>);
const FunctionPage = define.page<typeof asFunction>(({ data }) => <p>{data.count}</p>);
const Layout = define.layout(({ Component, state }) => (
  <main title={state.user}>
    <Component />
  </main>
));
const middleware = define.middleware((ctx) => {
  ctx.state.user = "user";
  return ctx.next();
});
const middlewares = define.middleware([middleware, async (ctx) => await ctx.next()]);

holds<Same<ComponentProps<typeof Page>["data"], { name: string }>>();
holds<Same<ComponentProps<typeof FunctionPage>["data"], { count: number }>>();
holds<Same<RouteData<HandlerFn<{ a: 1 }, unknown>>, { a: 1 }>>();
holds<Same<PageProps<number, State>["data"], number>>();
holds<Same<PageProps<number, State>["state"], State>>();
holds<Same<Context<State>["state"], State>>();
holds<Same<ReturnType<typeof page<number>>, PageResponse<number>>>();
holds<
  Same<Method, "HEAD" | "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS">
>();
const _byMethod: RouteHandler<unknown, State> = byMethod;
const _all: HandlerByMethod<{ name: string }, State> = byMethod;
const _list: Middleware<State>[] = middlewares;
const _config: RouteConfig = {
  routeOverride: "/x",
  csp: false,
  skipInheritedLayouts: true,
  skipAppWrapper: true,
  methods: ["GET"],
};
// @ts-expect-error there is no such state
define.middleware((ctx) => ctx.text(ctx.state.nothing));
// @ts-expect-error the handler's data has no such property
define.page<typeof byMethod>(({ data }) => <p>{data.nothing}</p>);
// @ts-expect-error a middleware answers with a response
define.middleware(() => "text");
// @ts-expect-error an app of another state
new App<{ other: number }>().use(middleware);

Deno.test("define's functions give back what they are given", () => {
  const plain = createDefine<unknown>();
  const fn = () => new Response();
  assertEquals(plain.handlers(fn), fn);
  assertEquals(plain.middleware(fn), fn);
  const component = () => null;
  assertEquals(plain.page(component), component);
  assertEquals(plain.layout(component), component);
});

Deno.test("page() hands data, status and headers to the page", async () => {
  assertEquals(page(), { data: undefined, headers: undefined, status: undefined });
  const app = new App<State>()
    .use(...middlewares)
    .layout("*", Layout)
    .route("/", { handler: byMethod, component: Page })
    .route("/function", { handler: asFunction, component: FunctionPage });
  const client = clientOf(app);
  const response = await client("/");
  assertEquals([response.status, response.headers.get("x-page")], [203, "1"]);
  assertMatch(await response.text(), /<main title="user"><p>Ada for user<\/p><\/main>/);
  assertMatch(await (await client("/function")).text(), /<p>4<\/p>/);
  const posted = await client("/", { method: "POST" });
  assertEquals([posted.status, posted.headers.get("location")], [303, "/user"]);
});

Deno.test("HttpError is an error with a status, the same one at both doors", () => {
  const cause = new Error("why");
  const error = new HttpError(404, "gone fishing", { cause });
  assert(error instanceof Error);
  assertEquals(
    [error.status, error.message, error.name, error.cause],
    [404, "gone fishing", "HttpError", cause],
  );
  assertEquals(RuntimeHttpError, HttpError);
  assertEquals(IS_BROWSER, false);
});

Deno.test("these tests' JSX is precompiled, as a site's is", () => {
  const { props } = <p class="a">{1}</p>;
  assert("tpl" in props, JSON.stringify(props));
});
