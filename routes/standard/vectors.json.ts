import { publicJson } from "../../lib/platform/http/public_file.ts";
import { VECTORS } from "../../lib/features/standard/mod.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A document of the standard, which the standard's own pages describe.",
};

/** Returns the standard's test vectors to any origin. */
export const handler = publicJson<State>(() => VECTORS);
