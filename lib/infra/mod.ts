/**
 * The services that this deployment depends on, and whether they respond (spec 4.7).
 *
 * @module
 */
import type { OrganisationKey } from "../surfaces/mod.ts";
import { plural } from "../time.ts";
import { drawMap, type InfraMap, type MapDeps } from "./map.ts";
import { type Checks, createMonitor, type MonitorOptions } from "./monitor.ts";
import { createProbes, type ProbeDeps } from "./probes.ts";

export type { InfraEdge, InfraMap, InfraNode, NodeGroup, NodeState } from "./map.ts";
export { type Box, type Diagram, layOut } from "./layout.ts";
export type { Check, Checks } from "./monitor.ts";
export { bankProbe, originProbe } from "./probes.ts";

/** One line for the dashboard. */
export interface InfraHealth {
  /** `unknown` while the first probes are running. */
  worst: "ok" | "degraded" | "down" | "unknown";
  text: string;
}

/** Every method probes services whose last result is old, and returns within half a second. */
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

function healthOf({ nodes }: InfraMap): InfraHealth {
  const named = (state: string) =>
    nodes.filter((node) => node.state === state).map(({ name }) => name).join(", ");
  const down = named("down");
  const slow = named("slow");
  if (down !== "" || slow !== "") {
    const text = [down && `Down: ${down}.`, slow && `Slow: ${slow}.`].filter(Boolean).join(" ");
    return { worst: down === "" ? "degraded" : "down", text };
  }
  const count = (state: string) =>
    nodes.filter((node) => node.state === state && node.group !== "process").length;
  const checking = count("checking");
  if (checking > 0) {
    const text = `${plural(checking, "service")} ${checking === 1 ? "is" : "are"} being checked.`;
    return { worst: "unknown", text };
  }
  return { worst: "ok", text: `All ${count("up")} checked services respond.` };
}
