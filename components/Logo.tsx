import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";

/**
 * An organisation's mark in the current colour, the same as in `static/icons/<organisation>.svg`.
 * The foundation's are two leaves that overlap: each event contains the hash of the one before it.
 * The commercial organisation's is an A above a seal, cut out of a tile.
 */
export function Logo({ organisation = "commercial" }: { organisation?: OrganisationKey }) {
  return (
    <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true" focusable="false">
      {organisation === "foundation" ? <Leaves /> : <Tile />}
    </svg>
  );
}

const Leaves = () => (
  <>
    <path
      d="M3 3h15v15H3zM10 10h15v15H10z"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
    />
    <path d="M10 10h8v8h-8z" fill="currentColor" />
  </>
);

const Tile = () => (
  <path
    d="M9 1h10a8 8 0 0 1 8 8v10a8 8 0 0 1-8 8H9a8 8 0 0 1-8-8V9a8 8 0 0 1 8-8zM12.4 6.6 6.4 21h3.5L14 10.7 18.1 21h3.5L15.6 6.6zM14 16.4a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 1 0 0-4.6z"
    fill="currentColor"
    fill-rule="evenodd"
  />
);
