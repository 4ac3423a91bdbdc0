/**
 * Surfaces: what one host shows, and which doors open there (design, section 4).
 *
 * @module
 */
export { createDoors, type Door, DOORS } from "./doors.ts";
export {
  DEVELOPMENT_HOSTS,
  type OrganisationKey,
  SURFACE_NAMES,
  type SurfaceKind,
  type SurfaceName,
} from "./names.ts";
export { createSurfaces, originOf, type Surface, type Surfaces } from "./surfaces.ts";
