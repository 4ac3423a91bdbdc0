import type * as Library from "./library.ts";

const library = () => import("./library.ts");

/** Returns the options for `navigator.credentials.create()`. */
export const createOptions: typeof Library.createOptions = async (given) =>
  (await library()).createOptions(given);

/** Returns the options for `navigator.credentials.get()`. */
export const getOptions: typeof Library.getOptions = async (given) =>
  (await library()).getOptions(given);

/** Returns what the response to a registration proves, or null if it proves nothing. */
export const verifyRegistration: typeof Library.verifyRegistration = async (...given) =>
  (await library()).verifyRegistration(...given);

/** Returns what the response to a sign-in proves about a passkey, or null if it proves nothing. */
export const verifySignIn: typeof Library.verifySignIn = async (...given) =>
  (await library()).verifySignIn(...given);
