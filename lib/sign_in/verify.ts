import type { Context } from "fresh";
import { endpoint, type EndpointHandler } from "../http/endpoint.ts";
import { readHeader } from "../http/header.ts";
import type { State } from "../state.ts";
import { landingOn } from "./landing.ts";

/** A token stands in the address: it is neither kept nor handed on. */
const CAREFUL = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * `GET /api/auth/verify` and `GET /auth/verify` (spec 4.3): a good link signs in, any other leads
 * to the page that asks again. What only looks at links, such as a mail scanner's HEAD or a
 * browser's prefetch, does not use them up.
 */
export const verifyEndpoint: EndpointHandler<State> = endpoint({
  GET: (ctx) => isPrefetch(ctx.req) ? nothing() : verify(ctx),
  HEAD: nothing,
});

async function verify({ req, url, state }: Context<State>): Promise<Response> {
  const { services: { auth }, surface } = state;
  const signIn = await auth.verify(url.searchParams.get("token") ?? "", surface.name);
  if (signIn === null) return redirect("/auth?error=expired");
  const response = redirect(landingOn(surface, signIn.next));
  for (const cookie of await auth.cookies(req, signIn, surface.name)) {
    response.headers.append("set-cookie", cookie);
  }
  return response;
}

const redirect = (location: string) =>
  new Response(null, { status: 302, headers: { ...CAREFUL, location } });

function nothing(): Response {
  return new Response(null, { headers: CAREFUL });
}

/** `Sec-Purpose` is the standard (Fetch); the others are what browsers sent before there was one. */
const isPrefetch = (req: Request) =>
  ["sec-purpose", "purpose", "x-purpose", "x-moz"].some((name) =>
    /prefetch|preview/i.test(readHeader(req, name) ?? "")
  );
