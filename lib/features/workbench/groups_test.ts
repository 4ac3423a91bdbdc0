import { assertEquals } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import {
  createSurfaces,
  SURFACE_NAMES,
  type SurfaceName,
  SURFACES,
} from "../../platform/surfaces/mod.ts";
import { groupSurfaces } from "./groups.ts";

function groupsOf(names: readonly SurfaceName[]) {
  const table = Object.fromEntries(names.map((name) => [name, SURFACES[name]]));
  return groupSurfaces(createSurfaces(parseConfig({}, { table }), table)).map((
    { organisation, purposes },
  ): [string, Record<string, SurfaceName[]>] => [
    organisation,
    Object.fromEntries(
      purposes.map(({ purpose, surfaces }) => [purpose, surfaces.map(({ name }) => name)]),
    ),
  ]);
}

Deno.test("surfaces are grouped by organisation and purpose, without the workbench", () => {
  assertEquals(
    groupsOf(["workbench", "site", "foundation", "investor", "foundation-mcp", "api", "trust"]),
    [
      ["commercial", { public: ["site", "investor"], holders: ["trust"], programs: ["api"] }],
      ["foundation", { public: ["foundation"], programs: ["foundation-mcp"] }],
    ],
  );
  assertEquals(groupsOf(["foundation-console"]), [
    ["foundation", { operators: ["foundation-console"] }],
  ]);
});

Deno.test("every surface but the workbench is in one group", () => {
  const grouped = groupsOf(SURFACE_NAMES).flatMap(([, purposes]) => Object.values(purposes).flat());
  assertEquals(grouped.sort(), SURFACE_NAMES.filter((name) => name !== "workbench").sort());
});
