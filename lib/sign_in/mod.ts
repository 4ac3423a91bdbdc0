/**
 * Sign-in over HTTP (spec 4.3): what the routes of every surface on which people sign in do with
 * `lib/auth` and the mailer.
 *
 * @module
 */
export { authPage } from "./auth_page.tsx";
export { landingOn, nextOn, signInPath } from "./landing.ts";
export { requestEndpoint } from "./request.ts";
export { verifyEndpoint } from "./verify.ts";
