/** Chooses the page for an app's request to connect: sign-in, choice of record or decision. */
import type { Context } from "fresh";
import { connectionProblem, shownMark } from "../../lib/features/oauth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { CannotConnectPage, ConsentPage } from "../oauth/ConsentPage.tsx";
import { worksWithoutRecord } from "../oauth/paths.ts";
import { renderForRequest } from "../oauth/render.tsx";
import { askedNote } from "../auth/asked_note.ts";
import type { RequestView } from "../oauth/RequestFacts.tsx";
import { describeRecords } from "./describe_records.ts";
import { ChoosePage } from "./ChoosePage.tsx";
import { SignInPage } from "./SignInPage.tsx";

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
  const choices = holder === null ? [] : await records.choicesOf(holder);
  const signIn = as === "sign-in" || as === "switch" && choices.length < 2;
  if (holder === null || choices.length === 0 || signIn) {
    const page = {
      phase: "ask" as const,
      email: "",
      request: view,
      note: problem ?? await askedNote(ctx.req, records.links.asked),
    };
    return await renderForRequest(ctx, request, <SignInPage state={state} view={page} />, {
      status,
    });
  }
  const record = choices.find(({ hash }) => hash === holder.record);
  if (record === undefined || as === "switch") {
    const records = await describeRecords(state, choices);
    return await plain(<ChoosePage {...{ state, records }} request={view} />);
  }
  const reason = await connectionProblem(kv, record);
  if (reason !== null) return await plain(<CannotConnectPage view={view} reason={reason} />);
  const connecting = { record, shown: shownMark(token, holder) };
  return await plain(<ConsentPage {...{ state, view, connecting, problem }} />);
}
