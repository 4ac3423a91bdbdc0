import type { State } from "../../lib/app/state.ts";

/** Returns the address of a page that only the foundation's site has; null if it is not served here. */
export const foundationHref = ({ surface, services }: State, path: string): string | null =>
  surface.serves(path) ? path : services.surfaces.url("foundation", path);
