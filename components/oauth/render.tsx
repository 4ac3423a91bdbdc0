/** The responses of the routes that decide an app's request to connect. */
import type { Context } from "fresh";
import type { ComponentChild } from "preact";
import { statusOf } from "../../lib/platform/http/errors.ts";
import {
  consentPolicy,
  requestTokenOf,
  returnsByForm,
  type StoredRequest,
} from "../../lib/features/oauth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { RequestFailurePage, ReturnPage } from "./ConsentPage.tsx";
import type { RequestView } from "./RequestFacts.tsx";

/** The URL contains the request's token. Forms of the page still send their origin. */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "same-origin" };

/** Renders a page about a request, whose forms can return to the app. */
export async function renderForRequest(
  ctx: Context<State>,
  request: StoredRequest,
  page: ComponentChild,
  init: ResponseInit = {},
): Promise<Response> {
  ctx.state.policy = consentPolicy(request);
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return await ctx.render(<>{page}</>, { ...init, headers });
}

/** Reads the request that a page or form names, or renders why it cannot be decided. */
export async function requestOf(
  ctx: Context<State>,
  given: unknown,
): Promise<{ ok: true; view: RequestView } | { ok: false; response: Response }> {
  const token = requestTokenOf(given) ?? "";
  const found = await ctx.state.services.oauth.readRequest(token);
  if (found.ok) return { ok: true, view: { token, request: found.request } };
  return { ok: false, response: await renderRequestFailure(ctx, found) };
}

/** Renders why a request cannot be decided, and what to do. */
export async function renderRequestFailure(
  ctx: Context<State>,
  failure: { ok: false; error: "not_found" | "used" | "expired" },
): Promise<Response> {
  ctx.state.scripts = false;
  const page = <RequestFailurePage error={failure.error} />;
  return await ctx.render(page, { status: statusOf(failure), headers: HEADERS });
}

/** Responds to a decision: returns to the MCP host, which returns to the app. */
export async function renderReturn(
  ctx: Context<State>,
  view: RequestView,
  location: string,
): Promise<Response> {
  if (!returnsByForm(view.request)) {
    ctx.state.scripts = false;
    return await renderForRequest(
      ctx,
      view.request,
      <ReturnPage view={view} location={location} />,
    );
  }
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return new Response(null, { status: 303, headers });
}
