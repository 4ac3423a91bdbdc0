/** The page on which a holder allows an app to read their record, or refuses. */
import { z } from "zod";
import {
  renderRequestFailure,
  renderReturn,
  requestOf,
} from "../../../components/oauth/render.tsx";
import { renderConsent } from "../../../components/records/render_consent.tsx";
import { requireHolderSession } from "../../../lib/features/records/mod.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { route } from "../../../lib/app/state.ts";

const schema = z.object({
  request: z.string().max(100),
  decision: z.enum(["approve", "deny"]),
  without: z.literal("1").optional(),
  shown: z.string().max(100).default(""),
});

const CHANGED = "You are now signed in differently. Check the request again before you approve it.";

/**
 * The consent page of an app's request. GET decides nothing. POST approves the request for the record
 * that the page showed or for none, or denies it, and returns to the MCP host.
 */
export const handler = route({
  async GET(ctx) {
    const found = await requestOf(ctx, ctx.url.searchParams.get("request"));
    return found.ok ? await renderConsent(ctx, found.view) : found.response;
  },
  async POST(ctx) {
    const input = checkInput(schema, await readInput(ctx.req));
    const found = await requestOf(ctx, input.request);
    if (!found.ok) return found.response;
    const { token } = found.view;
    const { holder, services: { oauth } } = ctx.state;
    const decided = input.decision === "deny"
      ? await oauth.decide(token, { approved: false })
      : input.without !== undefined
      ? await oauth.decide(token, { approved: true, record: null })
      : holder === null
      ? { ok: false as const, error: "conflict" as const }
      : await oauth.approve(token, {
        session: requireHolderSession(ctx.state),
        shown: input.shown,
      });
    if (decided.ok) return await renderReturn(ctx, found.view, decided.location);
    if (decided.error !== "conflict") return await renderRequestFailure(ctx, decided);
    return await renderConsent(ctx, found.view, CHANGED);
  },
});
