import type { RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "both",
  notInOpenApi: "For our own sign-in pages.",
};
/** The same as `/auth/verify`, which mailed links lead to (spec 4.3). */
export { handler } from "../../auth/verify.ts";
