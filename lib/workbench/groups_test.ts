import { assertEquals } from "@std/assert";
import { parseConfig } from "../config.ts";
import { createSurfaces } from "../surfaces/mod.ts";
import { groupSurfaces } from "./groups.ts";

Deno.test("every surface but the workbench is in one group, by organisation and purpose", () => {
  const surfaces = createSurfaces(parseConfig({}));
  const groups = groupSurfaces(surfaces).map(({ organisation, purposes }) => [
    organisation,
    Object.fromEntries(
      purposes.map(({ purpose, surfaces }) => [purpose, surfaces.map(({ name }) => name)]),
    ),
  ]);
  assertEquals(groups, [
    ["commercial", {
      public: ["site", "commercial", "investor"],
      holders: ["trust"],
      programs: ["commercial-mcp", "api"],
      operators: ["commercial-console"],
    }],
    ["foundation", {
      public: ["foundation"],
      programs: ["foundation-mcp"],
      operators: ["foundation-console"],
    }],
  ]);
});
