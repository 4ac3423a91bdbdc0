/** The same as `/auth/verify`, where mailed links lead (spec 4.3). */
export { handler } from "../../auth/verify.ts";
