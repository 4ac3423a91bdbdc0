/**
 * Surfaces: what each host serves.
 *
 * @module
 */
export { nearestPath, typedPaths } from "./nearest.ts";
export { createSurfaces, originOf, publisherOf, type Surface, type Surfaces } from "./surfaces.ts";
export {
  type HomeName,
  type NavigationEntry,
  type OrganisationKey,
  type Route,
  type SenderKey,
  SIGN_IN_ROUTES,
  SURFACE_NAMES,
  type SurfaceKind,
  type SurfaceName,
  type SurfaceRow,
  SURFACES,
  type SurfaceTable,
} from "./table.ts";
export { robots, securityTxt, sitemap } from "./sitemap.ts";
