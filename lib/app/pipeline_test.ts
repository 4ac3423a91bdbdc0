import { assertEquals } from "@std/assert";
import { App, type Middleware } from "fresh";
import type { Surface } from "../platform/surfaces/mod.ts";
import { noRoute, notOnlyForPrograms, pipeline, type Step } from "./pipeline.ts";
import { Routes } from "./routes.ts";
import type { State } from "./state.ts";

const [home, api] = [{ name: "site" }, { name: "api" }] as Surface[];
const routes = new Routes(
  new Map([["/page", {}], ["/token", { audience: "programs" as const }]]),
);

/** Returns the names of the steps that a request passes, and what it returns. */
async function pass(path: string, surface: Surface, last: Middleware<State>, more: Step[] = []) {
  const passed: string[] = [];
  const step = (name: string): Middleware<State> => async (ctx) => {
    passed.push(name);
    const response = await ctx.next();
    passed.push(`/${name}`);
    return response;
  };
  const steps: Step[] = [
    [step("all")],
    [step("people"), notOnlyForPrograms],
    [step("file"), noRoute],
    [step("api"), (place) => place.surface === api],
    ...more,
  ];
  const select: Middleware<State> = (ctx) => {
    ctx.state.surface = surface;
    return ctx.next();
  };
  const app = new App<State>().use(select).use(pipeline(routes, steps))
    .all("/page", last).all("/token", last);
  const response = await app.handler()(new Request(`http://localhost${path}`));
  return { passed: passed.join(" "), status: response.status };
}

const ok = () => new Response("ok");

Deno.test("a request passes the steps of its route and surface, from the outside in and back", async () => {
  const cases: [path: string, surface: Surface, passed: string, status: number][] = [
    ["/page", home, "all people /people /all", 200],
    ["/page", api, "all people api /api /people /all", 200],
    ["/token", home, "all /all", 200],
    ["/nothing", home, "all people file", 404],
  ];
  for (const [path, surface, passed, status] of cases) {
    assertEquals(await pass(path, surface, ok), { passed, status }, path);
  }
});

Deno.test("an error that a step throws reaches the step around it", async () => {
  const refuse: Step = [() => {
    throw new Error("refused");
  }];
  const handle: Step = [(ctx) => ctx.next().catch(() => new Response(null, { status: 418 }))];
  const { passed, status } = await pass("/token", home, ok, [handle, refuse]);
  assertEquals([passed, status], ["all /all", 418]);
});
