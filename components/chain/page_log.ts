import type { State } from "../../lib/app/state.ts";
import type { PageLog } from "./browser_trust.ts";

/** Returns the log of the publisher for a page's scripts; null if this deployment has none. */
export async function pageLog({ surface, services }: State): Promise<PageLog | null> {
  const { surfaces, chains, logFiles } = services;
  const trust = surfaces.baseFrom(surface, "trust");
  if (trust === null) return null;
  return { publisher: chains.publisher, url: `${trust}/log`, policy: await logFiles.policy() };
}
