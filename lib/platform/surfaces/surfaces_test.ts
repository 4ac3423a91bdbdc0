import { assertEquals } from "@std/assert";
import { productionEnv } from "../../app/testing/production.ts";
import { parseConfig } from "../../app/config.ts";
import { createSurfaces } from "./surfaces.ts";
import { createRouteMatcher } from "./table.ts";

Deno.test("in development a surface's base is its host with the port", () => {
  const surfaces = createSurfaces(parseConfig({ PORT: "8123" }));
  assertEquals(surfaces.url("trust", "/terms"), "http://trust.localhost:8123/terms");
  assertEquals(createSurfaces(parseConfig({ PORT: "80" })).url("site"), "http://site.localhost");
});

Deno.test("in production a surface's base is https, or the origin that was configured", () => {
  const surfaces = createSurfaces(parseConfig(productionEnv({
    site: ["qualpack.example", "www.qualpack.example"],
    investor: ["http://10.0.0.5:8080"],
  })));
  assertEquals(surfaces.url("site", "/auth"), "https://qualpack.example/auth");
  assertEquals(surfaces.url("investor"), "http://10.0.0.5:8080");
  assertEquals(surfaces.url("api"), null);
  assertEquals(surfaces.byHost("www.qualpack.example")?.name, "site");
  assertEquals(surfaces.byHost("10.0.0.5")?.name, "investor");
});

Deno.test("a surface is found by the name of its host", () => {
  const surfaces = createSurfaces(parseConfig({}));
  assertEquals(surfaces.byHost("ops.foundation.localhost")?.name, "foundation-console");
  assertEquals(surfaces.byHost("[::1]")?.name, "workbench");
  assertEquals(surfaces.byHost("foundation.localhost.example"), undefined);
});

Deno.test("isOwnOrigin() compares the whole origin", () => {
  const surfaces = createSurfaces(parseConfig({}));
  assertEquals(surfaces.isOwnOrigin("http://site.localhost:8000"), true);
  assertEquals(surfaces.isOwnOrigin("https://site.localhost:8000"), false);
  assertEquals(surfaces.isOwnOrigin("http://site.localhost"), false);
  assertEquals(surfaces.isOwnOrigin("null"), false);
});

Deno.test("a route's parameter matches one segment, and its star matches everything that follows", () => {
  const serves = createRouteMatcher([
    { path: "/q/:code" },
    { path: "/dev/*" },
    { path: "/a.b" },
    { path: "/closed", off: "Elsewhere." },
  ]);
  const cases: [path: string, served: boolean][] = [
    ["/q/X1", true],
    ["/q/X1/", false],
    ["/q/", false],
    ["/q/X1/y", false],
    ["/a.b", true],
    ["/aXb", false],
    ["/dev/x", true],
    ["/dev/x/y", true],
    ["/dev", false],
    ["/closed", false],
  ];
  for (const [path, served] of cases) assertEquals(serves(path), served, path);
});
