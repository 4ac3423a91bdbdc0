import type { Surfaces } from "../../surfaces/mod.ts";

/**
 * The publisher whose chains these are: the host of the trust surface, where records are verified.
 * Without one no records are registered, and the name means nothing.
 */
export const publisherOf = (surfaces: Surfaces): string =>
  new URL(surfaces.url("trust") ?? "http://localhost").host;
