import { assertEquals } from "@std/assert";
import { Routes } from "./routes.ts";

const routes = new Routes(
  new Map([
    ["/", {}],
    ["/token", { audience: "programs" }],
    ["/api/feed", { audience: "both" }],
    ["/api/webhook", { audience: "programs" }],
    ["/.well-known/keys", { audience: "programs" }],
    ["/docs/:page", {}],
    ["/docs/index.json", { audience: "programs" }],
  ]),
);

const isForPrograms = (route: string | null, path: string, form = false) =>
  routes.isForPrograms({
    route,
    url: new URL(path, "http://localhost"),
    req: new Request(`http://localhost${path}`, {
      method: form ? "POST" : "GET",
      body: form ? new URLSearchParams() : null,
    }),
  });

Deno.test("a route's audience decides whether a request comes from a program, also for a form", () => {
  assertEquals(isForPrograms("/", "/"), false);
  assertEquals(isForPrograms("/token", "/token", true), true);
  assertEquals(isForPrograms("/api/feed", "/api/feed"), true);
  assertEquals(isForPrograms("/api/feed", "/api/feed", true), false);
});

Deno.test("a path without a route has the audience of its folder, or people", () => {
  const cases: [path: string, isForPrograms: boolean, isFormForPrograms: boolean][] = [
    ["/api/nothing", true, false],
    ["/.well-known/nothing", true, true],
    ["/docs/nothing/else", false, false],
    ["/token/nothing", false, false],
    ["/nothing", false, false],
  ];
  for (const [path, ...expected] of cases) {
    const found = [isForPrograms(null, path), isForPrograms(null, path, true)];
    assertEquals(found, expected, path);
  }
});

Deno.test("a route without properties, and no route, have the defaults", () => {
  assertEquals([routes.of({ route: "/" }), routes.of({ route: null })], [{}, {}]);
});
