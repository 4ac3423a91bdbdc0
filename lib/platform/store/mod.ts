/**
 * The store as a whole: which one it is, and whether it may be used.
 *
 * @module
 */
export * from "./guard.ts";
export * from "./marker.ts";
export * from "./readiness.ts";
