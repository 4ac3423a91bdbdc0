/**
 * A catalogue of Australian vocational qualifications, with search.
 *
 * `catalogue.json` is a selection, not the whole national register (training.gov.au). It has the
 * register's codes and titles, and the successors that were public in October 2026.
 *
 * @module
 */
export { type Catalogue, createCatalogue, type Succession, successionOf } from "./catalogue.ts";
export { listQualifications } from "./listing.ts";
export { isSearchUrl, listingQuerySchema } from "./params.ts";
export {
  MAX_SAVED_QUALIFICATIONS,
  MAX_SAVED_SEARCHES,
  type SavedItems,
  savedItems,
} from "./saved.ts";
export { type AqfLevel, listingSchema } from "./schemas.ts";
