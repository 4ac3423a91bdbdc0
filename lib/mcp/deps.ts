import type { Chains } from "../chain/store/mod.ts";
import type { Manifest } from "../discovery/manifest.ts";
import type { Catalogue } from "../qualifications/mod.ts";
import type { Standard } from "../standard/mod.ts";

/** What the tools answer from. */
export interface ToolDeps {
  readonly manifest: Manifest;
  /** The surfaces that this deployment serves. */
  readonly surfaces: () => readonly SurfaceSummary[];
  readonly standard: Standard;
  readonly catalogue: Catalogue;
  /** The chains that are kept here. */
  readonly chains: Pick<Chains, "publisher" | "page" | "keys">;
}

/** One surface, as an agent needs to know it. */
export interface SurfaceSummary {
  readonly name: string;
  readonly url: string;
  readonly purpose: string;
  /** What it shows. */
  readonly shows: readonly string[] | string;
}
