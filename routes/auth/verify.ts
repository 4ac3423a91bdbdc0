import { clientKey, sessionCookie } from "../../lib/features/auth/mod.ts";
import { landingAfter } from "../../lib/features/passkeys/landing.ts";
import { hasConsole } from "../../lib/features/operators/mod.ts";
import { isPrefetch } from "../../lib/platform/http/audience.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { deviceOf } from "../../lib/platform/http/device.ts";
import { withCookies } from "../../lib/platform/http/cookies.ts";
import { CONFIDENTIAL } from "../../lib/platform/http/mailed_link.ts";
import { route } from "../../lib/app/state.ts";

/**
 * Signs in with a mailed link (spec 4.3). HEAD requests and prefetches from mail scanners and
 * browsers do not use it up.
 */
export const handler = route({
  HEAD: () => empty(),
  async GET(ctx) {
    const { req, url, state: { services, surface } } = ctx;
    if (isPrefetch(req)) return empty();
    const address = clientOf(ctx);
    const token = url.searchParams.get("token") ?? "";
    const signIn = await services.auth.verify(token, surface.name, {
      client: clientKey(req, address),
      device: hasConsole(surface) ? deviceOf(req, address) : undefined,
    });
    if (signIn === null) return redirect("/auth?error=expired");
    return withCookies(redirect(await landingAfter(services, surface, signIn)), [
      sessionCookie(signIn.sessionId),
    ]);
  },
});

const redirect = (location: string) =>
  new Response(null, { status: 302, headers: { ...CONFIDENTIAL, location } });

const empty = () => new Response(null, { headers: CONFIDENTIAL });
