import type { Context } from "fresh";
import { z } from "zod";
import { ConsoleFrame } from "../../../components/console/ConsoleFrame.tsx";
import { RecordDetailsPage } from "../../../components/console/RecordsPages.tsx";
import { hashSchema } from "../../../lib/chain/mod.ts";
import { requireLayer } from "../../../lib/console/access.ts";
import { checkInput, isFormPost, readInput } from "../../../lib/http/body.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../../lib/http/errors.ts";
import { identityNoteSchema } from "../../../lib/records/mod.ts";
import { define, type State } from "../../../lib/state.ts";

const input = identityNoteSchema.extend({ act: z.enum(["check", "revoke"]) });

/** One record, for full administrators, who record or revoke the check of its holder's identity. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { hash } = await readOwn(ctx);
    const body = await readInput(ctx.req);
    try {
      const { act, note } = checkInput(input, body);
      const { records } = ctx.state.services;
      const decide = act === "check" ? records.checkIdentity : records.revokeIdentity;
      const { level } = unwrap(await decide({ hash, by, note }));
      return isFormPost(ctx.req) ? ctx.redirect(ctx.url.pathname, 303) : Response.json({ level });
    } catch (error) {
      if (!(error instanceof RequestError) || !isFormPost(ctx.req)) throw error;
      const { act, note } = body as Record<string, string>;
      const problem = error.issues?.note ?? error.message;
      return await render(ctx, { act, note, problem }, error.status);
    }
  },
}));

async function render(
  ctx: Context<State>,
  refused?: { act: string; note: string; problem: string },
  status = 200,
) {
  const { state, url, req } = ctx;
  const operator = requireLayer(state, "L1");
  const record = await readOwn(ctx);
  const { surfaces } = state.services;
  const verifyUrl = surfaces.url("trust", `/verify?hash=${record.hash}`);
  const levelsUrl = surfaces.url("trust", "/levels");
  return await ctx.render(
    <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Record">
      <RecordDetailsPage
        record={record}
        verifyUrl={verifyUrl}
        levelsUrl={levelsUrl}
        refused={refused}
      />
    </ConsoleFrame>,
    { status },
  );
}

async function readOwn({ params, state: { surface, services } }: Context<State>) {
  const hash = hashSchema.safeParse(params.hash);
  if (!hash.success) throw new RequestError(404);
  const record = await services.records.readOf(surface.organisation, hash.data);
  if (record === null) throw new RequestError(404);
  return record;
}
