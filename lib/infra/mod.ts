/**
 * Checks the services that this deployment depends on (spec 4.7).
 *
 * @module
 */
import type { OrganisationKey } from "../surfaces/mod.ts";
import { healthOf, type InfraHealth } from "./health.ts";
import { drawMap, type InfraMap, type MapDeps } from "./map.ts";
import { type Checks, createMonitor, type MonitorOptions } from "./monitor.ts";
import { createProbes, type ProbeDeps } from "./probes.ts";

export type { InfraHealth } from "./health.ts";
export type { InfraEdge, InfraMap, InfraNode, NodeGroup, NodeState } from "./map.ts";
export { type Box, type Diagram, layOut } from "./layout.ts";
export type { Check, Checks } from "./monitor.ts";
export { bankProbe, originProbe } from "./probes.ts";

/** Every method probes services whose last result is old, and returns within 0.5 seconds. */
export interface Infra {
  map(organisation: OrganisationKey): Promise<InfraMap>;
  /** Returns the worst state in an organisation's map, and the names of the services concerned. */
  health(organisation: OrganisationKey): Promise<InfraHealth>;
  /** Returns the last results of all probes, by their names. */
  checks(): Promise<Checks>;
  /** Aborts the running probes. */
  close(): Promise<void>;
}

export type InfraOptions =
  & ProbeDeps
  & MapDeps
  & Pick<MonitorOptions, "elapsed" | "schedule">;

/**
 * Creates the map of a deployment. Nothing is probed yet.
 *
 * @example
 * ```ts
 * const { nodes } = await infra.map("commercial");
 * nodes.filter(({ state }) => state === "down").map(({ name }) => name); // ["Bank"]
 * ```
 */
export function createInfra(options: InfraOptions): Infra {
  const monitor = createMonitor({ ...options, probes: createProbes(options) });
  const map = async (organisation: OrganisationKey) =>
    drawMap(options, organisation, await monitor.read());
  return {
    map,
    health: async (organisation) => healthOf(await map(organisation)),
    checks: monitor.read,
    close: monitor.close,
  };
}
