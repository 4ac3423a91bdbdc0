import type { Context, Middleware } from "fresh";
import { wantsJson, wantsPage, wantsStream } from "../../platform/http/audience.ts";
import { RequestError } from "../../platform/http/errors.ts";
import { signInAgainPath } from "../../features/records/mod.ts";
import type { State } from "../state.ts";

/** The redirects of people who cannot do something yet, by the error's code. */
const REDIRECTS: Record<string, string> = {
  unauthenticated: "/my-record",
  record_closed: "/my-record",
  not_in_force: "/my-record",
};

/**
 * Sends people to the sign-in page instead of showing an error when a page below `/my-record` needs
 * a session, a recent one, or a record that is not closed. Programs get the error as JSON.
 */
export const holderPages: Middleware<State> = async (ctx) => {
  try {
    return await ctx.next();
  } catch (error) {
    const code = error instanceof RequestError ? error.code : "";
    const location = code === "sign_in_again" ? signInAgainPath(ctx.url) : REDIRECTS[code];
    if (location === undefined || isFromProgram(ctx)) throw error;
    return ctx.redirect(location, 303);
  }
};

const FEED = "/my-record/log";

const isFromProgram = ({ req, state: { pathname } }: Context<State>): boolean =>
  wantsJson(req) || wantsStream(req) || pathname === FEED && !wantsPage(req);
