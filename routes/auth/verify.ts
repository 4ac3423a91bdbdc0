import { landingOn } from "../../lib/auth/mod.ts";
import { isPrefetch } from "../../lib/http/audience.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { define, type State } from "../../lib/state.ts";

/** The URL contains a token, which must not be cached or passed on. */
const CONFIDENTIAL = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * Signs in with a mailed link (spec 4.3). HEAD requests and prefetches from mail scanners and
 * browsers do not use it up.
 */
export const handler = define.handlers(endpoint<State>({
  HEAD: empty,
  async GET({ req, url, state: { services: { auth }, surface } }) {
    if (isPrefetch(req)) return empty();
    const signIn = await auth.verify(url.searchParams.get("token") ?? "", surface.name);
    if (signIn === null) return redirect("/auth?error=expired");
    const response = redirect(landingOn(surface, signIn.next));
    for (const cookie of await auth.cookies(req, signIn, surface.name)) {
      response.headers.append("set-cookie", cookie);
    }
    return response;
  },
}));

const redirect = (location: string) =>
  new Response(null, { status: 302, headers: { ...CONFIDENTIAL, location } });

function empty(): Response {
  return new Response(null, { headers: CONFIDENTIAL });
}
