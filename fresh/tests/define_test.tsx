import {
  App,
  type Context,
  createDefine,
  type Define,
  type HandlerByMethod,
  HttpError,
  type Method,
  type Middleware,
  page,
  type PageProps,
  type PageResponse,
  type RouteHandler,
} from "fresh";
import type { ComponentProps } from "preact";
import { assert, assertEquals } from "@std/assert";

interface State {
  user: string;
}
const define: Define<State> = createDefine<State>();

// The compiler checks these types: a wrong one is a type error.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
function holds<_ extends true>(): void {}

const byMethod = define.handlers({
  GET: () => page({ name: "Ada" }),
  POST: (ctx) => ctx.redirect(`/${ctx.state.user}`, 303),
});
const asFunction = define.handlers((ctx) => page({ count: ctx.state.user.length }));
const Page = define.page<typeof byMethod>(({ data, state }) => <p>{data.name} for {state.user}</p>);
const FunctionPage = define.page<typeof asFunction>(({ data }) => <p>{data.count}</p>);
const middleware = define.middleware((ctx) => {
  ctx.state.user = "user";
  return ctx.next();
});
const middlewares = define.middleware([middleware, async (ctx) => await ctx.next()]);

holds<Same<ComponentProps<typeof Page>["data"], { name: string }>>();
holds<Same<ComponentProps<typeof FunctionPage>["data"], { count: number }>>();
holds<Same<PageProps<number, State>["data"], number>>();
holds<Same<PageProps<number, State>["state"], State>>();
holds<Same<Context<State>["state"], State>>();
const _page: PageResponse<number> = page(1);
const _noData: PageResponse<undefined> = page();
// @ts-expect-error the data is missing
const _missing: PageResponse<number> = page();
holds<Same<Method, "HEAD" | "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS">>();
const _byMethod: RouteHandler<unknown, State> = byMethod;
const _all: HandlerByMethod<{ name: string }, State> = byMethod;
const _list: Middleware<State>[] = middlewares;
// @ts-expect-error the state has no such property
define.middleware((ctx) => new Response(ctx.state.nothing));
// @ts-expect-error the handler's data has no such property
define.page<typeof byMethod>(({ data }) => <p>{data.nothing}</p>);
// @ts-expect-error a middleware returns a response
define.middleware(() => "text");
// @ts-expect-error the app has another state
new App<{ other: number }>().use(middleware);

Deno.test("the functions of createDefine() return their argument", () => {
  const plain = createDefine<unknown>();
  const fn = () => new Response();
  assertEquals([plain.handlers(fn), plain.middleware(fn)], [fn, fn]);
  const component = () => null;
  assertEquals([plain.page(component), plain.layout(component)], [component, component]);
});

Deno.test("page() returns data, status and headers", () => {
  assertEquals(page(), { data: undefined, headers: undefined, status: undefined });
  const headers = { a: "b" };
  assertEquals(page(1, { status: 203, headers }), { data: 1, headers, status: 203 });
  assertEquals(page(null).data as unknown, undefined); // as upstream does
});

Deno.test("HttpError has a status, a message and a cause", () => {
  const cause = new Error("why");
  const error = new HttpError(404, "gone fishing", { cause });
  assert(error instanceof Error);
  const { status, message, name } = error;
  assertEquals([status, message, name, error.cause], [404, "gone fishing", "HttpError", cause]);
});

Deno.test("the JSX of these tests is precompiled, like a site's", () => {
  const { props } = <p class="a">{1}</p>;
  assert("tpl" in props, JSON.stringify(props));
});
