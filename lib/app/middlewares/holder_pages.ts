import type { Context, Middleware } from "fresh";
import { wantsJson, wantsPage, wantsStream } from "../../platform/http/audience.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { State } from "../state.ts";

/** The redirects of people who cannot do something yet, by the error's code. */
const REDIRECTS: Record<string, string> = {
  unauthenticated: "/my-record",
  sign_in_again: "/my-record?again=1",
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
    const location = error instanceof RequestError ? REDIRECTS[error.code] : undefined;
    if (location === undefined || isFromProgram(ctx)) throw error;
    return ctx.redirect(location, 303);
  }
};

const FEED = "/my-record/log";

const isFromProgram = ({ req, state: { pathname } }: Context<State>): boolean =>
  wantsJson(req) || wantsStream(req) || pathname === FEED && !wantsPage(req);
