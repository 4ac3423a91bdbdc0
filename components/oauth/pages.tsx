import type { Context } from "fresh";
import { connectProblemOf, returnsByForm, shownMark } from "../../lib/features/oauth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { ChoosePage } from "../records/ChoosePage.tsx";
import { SignInPage } from "../records/SignInPage.tsx";
import { ConnectProblemPage, ConsentPage, ReturnPage } from "./ConsentPage.tsx";
import { worksWithoutRecord } from "./paths.ts";
import { renderForRequest } from "./render.tsx";
import type { RequestView } from "./RequestFacts.tsx";

/**
 * Renders the page on which a person decides a request, or the page before it: the sign-in page, or
 * the choice between records.
 *
 * @param problem why an approval was not valid
 */
export async function renderConsent(
  ctx: Context<State>,
  view: RequestView,
  problem?: string,
): Promise<Response> {
  const { state, url } = ctx;
  const { services: { records, kv }, holder } = state;
  const { token, request } = view;
  const status = problem === undefined ? 200 : 409;
  const as = url.searchParams.get("as");
  const plain = (page: Parameters<typeof renderForRequest>[2]) => {
    state.scripts = false;
    return renderForRequest(ctx, request, page, { status });
  };
  if (as === "none" && worksWithoutRecord(view)) {
    return await plain(<ConsentPage {...{ state, view }} connecting={null} />);
  }
  const choices = await records.readAll(holder?.choices ?? []);
  const signIn = as === "sign-in" || as === "switch" && choices.length < 2;
  if (holder === null || choices.length === 0 || signIn) {
    const page = {
      phase: "ask" as const,
      email: "",
      request: view,
      ...problem === undefined ? {} : { note: problem },
    };
    return await renderForRequest(ctx, request, <SignInPage state={state} view={page} />, {
      status,
    });
  }
  const record = choices.find(({ hash }) => hash === holder.record);
  if (record === undefined || as === "switch") {
    return await plain(<ChoosePage state={state} records={choices} request={view} />);
  }
  const reason = await connectProblemOf(kv, record);
  if (reason !== null) return await plain(<ConnectProblemPage view={view} reason={reason} />);
  const connecting = { record, shown: shownMark(token, holder) };
  return await plain(<ConsentPage {...{ state, view, connecting, problem }} />);
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
