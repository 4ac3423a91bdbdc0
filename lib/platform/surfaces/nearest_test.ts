import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import { nearestPath, typedPaths } from "./nearest.ts";
import { createSurfaces } from "./surfaces.ts";

const PATHS = ["/", "/standard", "/standard/event-chain", "/contact", "/connect", "/levels"];

Deno.test("a mistyped path leads to the nearest one, and an unrelated path to none", () => {
  const cases: [typed: string, meant: string | null][] = [
    ["/standrad", "/standard"],
    ["/Standard", "/standard"],
    ["/standards/", "/standard"],
    ["/standard.html", "/standard"],
    ["//standard", "/standard"],
    ["/standard/evnt-chain", "/standard/event-chain"],
    ["/standard/unknown-section", "/standard"],
    ["/contcat", "/contact"],
    ["/conect", "/connect"],
    ["/nowhere", null],
    ["/x", null],
    ["/%00", null],
    [`/standard${"d".repeat(100)}`, null],
  ];
  for (const [typed, meant] of cases) assertEquals(nearestPath(typed, PATHS), meant, typed);
});

Deno.test("only pages of the surface itself that people open are suggested", () => {
  const surfaces = createSurfaces(parseConfig({}));
  const pathsOf = (name: Parameters<typeof surfaces.get>[0]) => typedPaths(surfaces.get(name)!);
  assertEquals(pathsOf("investor"), ["/", "/my-record"]);
  assertEquals(pathsOf("api"), ["/", "/openapi.json", "/docs", "/docs/errors", "/docs/changelog"]);
  assertEquals(pathsOf("foundation-mcp"), ["/"]);
  assert(!pathsOf("foundation").some((path) => path.startsWith("/console")));
  assert(!pathsOf("trust").includes("/d/request"));
});
