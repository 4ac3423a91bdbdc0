import { plural } from "../../base/time.ts";
import type { InfraNode } from "./map.ts";

/** The health of the external services, for the header of the consoles. */
export interface InfraHealth {
  /** `unknown` while the first probes are running. */
  worst: "ok" | "degraded" | "down" | "unknown";
  text: string;
}

/** The nodes that summaries count: all except the process, which responds if a page appears. */
export const countedNodes = (nodes: readonly InfraNode[]): InfraNode[] =>
  nodes.filter(({ group }) => group !== "process");

/** Returns the worst state of nodes, and the names of the services concerned, without details. */
export function healthOf(nodes: readonly InfraNode[]): InfraHealth {
  const named = (state: string) =>
    nodes.filter((node) => node.state === state).map(({ name }) => name).join(", ");
  const down = named("down");
  const slow = named("slow");
  if (down !== "" || slow !== "") {
    const text = [down && `Down: ${down}.`, slow && `Slow: ${slow}.`].filter(Boolean).join(" ");
    return { worst: down === "" ? "degraded" : "down", text };
  }
  const count = (state: string) =>
    countedNodes(nodes).filter((node) => node.state === state).length;
  const checking = count("checking");
  if (checking > 0) {
    const text = `${plural(checking, "service")} ${checking === 1 ? "is" : "are"} being checked.`;
    return { worst: "unknown", text };
  }
  return { worst: "ok", text: `All ${count("up")} checked services respond.` };
}
