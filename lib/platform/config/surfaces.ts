/** The schema and checks of `SURFACE_HOSTS`, which gives each surface of the site its host names. */
import { z } from "zod";
import { SURFACE_NAMES, type SurfaceName } from "../surfaces/table.ts";
import { hostnameOf, isOrigin, json } from "./fields.ts";

export type SurfaceHosts = Partial<Record<SurfaceName, string[]>>;

export const surfaceHosts = json(`JSON such as {"site": ["qualpack.example"]}`).pipe(
  z.partialRecord(
    z.enum(SURFACE_NAMES),
    z.array(z.string().refine(isHostOrOrigin, "host names or full origins").toLowerCase())
      .min(1, "a list of at least one host for each surface"),
    { error: `JSON whose keys are among ${SURFACE_NAMES.join(", ")}` },
  ),
);

export function surfaceProblems(surfaceHosts: SurfaceHosts): string[] {
  const lines: string[] = [];
  if (Object.keys(surfaceHosts).length === 0) {
    lines.push("SURFACE_HOSTS: should name at least one surface");
  }
  // A marketing site and its MCP server publish each other's URL.
  for (const organisation of ["foundation", "commercial"] as const) {
    const pair = [organisation, `${organisation}-mcp`] as const;
    if (pair.filter((name) => surfaceHosts[name] !== undefined).length === 1) {
      lines.push(`SURFACE_HOSTS: should name ${pair.join(" and ")} together, or neither`);
    }
  }
  if (surfaceHosts.api !== undefined && surfaceHosts.trust === undefined) {
    lines.push(
      "SURFACE_HOSTS: should name trust as well as api, because records are verified there",
    );
  }
  const hosts = Object.values(surfaceHosts).flat().map(hostnameOf);
  const twice = hosts.find((host, i) => hosts.indexOf(host) !== i);
  if (twice !== undefined) lines.push(`SURFACE_HOSTS: should give ${twice} to one surface only`);
  return lines;
}

function isHostOrOrigin(value: string): boolean {
  return value.includes("://")
    ? isOrigin(value)
    : URL.canParse(`http://${value}`) && new URL(`http://${value}`).host === value.toLowerCase();
}
