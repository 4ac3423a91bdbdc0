/** The groups in which the workbench, the start page of development, lists the surfaces. */
import type {
  OrganisationKey,
  Surface,
  SurfaceKind,
  Surfaces,
} from "../../platform/surfaces/mod.ts";

/** The people or programs that a surface is for. */
export const PURPOSES = {
  public: "For visitors",
  holders: "For holders and verifiers",
  programs: "For agents and programs",
  operators: "For operators",
} as const;

type Purpose = keyof typeof PURPOSES;

const PURPOSE_OF: Partial<Record<SurfaceKind, Purpose>> = {
  trust: "holders",
  mcp: "programs",
  api: "programs",
  console: "operators",
};

interface SurfaceGroup {
  organisation: OrganisationKey;
  purposes: { purpose: Purpose; surfaces: Surface[] }[];
}

/** Returns the surfaces by organisation and purpose, without the workbench and empty groups. */
export function groupSurfaces({ all }: Surfaces): SurfaceGroup[] {
  const listed = all.filter(({ servesAll }) => !servesAll);
  return (["commercial", "foundation"] as const).map((organisation) => {
    const own = listed.filter((surface) => surface.organisation === organisation);
    const purposes = (Object.keys(PURPOSES) as Purpose[]).map((purpose) => ({
      purpose,
      surfaces: own.filter(({ kind }) => (PURPOSE_OF[kind] ?? "public") === purpose),
    }));
    return { organisation, purposes: purposes.filter(({ surfaces }) => surfaces.length > 0) };
  }).filter(({ purposes }) => purposes.length > 0);
}
