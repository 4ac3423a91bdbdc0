/** The same as `/auth/verify`, which mailed links lead to (spec 4.3). */
export { handler } from "../../auth/verify.ts";
