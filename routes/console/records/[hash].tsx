import type { Context } from "fresh";
import { z } from "zod";
import { renderRecord } from "../../../components/console/render_record.tsx";
import { type Operator, requireLayer } from "../../../lib/console/access.ts";
import { removeRecord } from "../../../lib/console/remove_record.ts";
import { readOwnRecord } from "../../../lib/console/own_records.ts";
import { checkInput, readInput } from "../../../lib/http/body.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { unwrap } from "../../../lib/http/errors.ts";
import { formDone, orShowForm } from "../../../lib/http/form_post.ts";
import { emailSchema } from "../../../lib/mail/mod.ts";
import { identityNoteSchema, readerOfContext } from "../../../lib/records/mod.ts";
import { define, type State } from "../../../lib/state.ts";

const input = z.discriminatedUnion("act", [
  identityNoteSchema.extend({ act: z.enum(["check", "revoke"]) }),
  identityNoteSchema.extend({ act: z.literal("recover"), email: emailSchema() }),
  z.object({ act: z.literal("cancel_recovery") }),
  z.object({ act: z.literal("delete"), digits: z.string().max(64).trim().toLowerCase() }),
]);

/** One record, for full administrators: identity check, recovery and deletion. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => renderRecord(ctx),
  async POST(ctx) {
    const operator = requireLayer(ctx.state, "L1");
    const { hash } = await readOwnRecord(ctx.state, ctx.params.hash);
    const body = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const given = checkInput(input, body);
      await act(ctx, operator, hash, given);
      const isDeleted = given.act === "delete";
      const deleted = `/console/records?deleted=${hash.slice(0, 8)}`;
      return formDone(ctx.req, isDeleted ? deleted : ctx.url.pathname);
    }, ({ status, message, issues = { note: message } }) => {
      const { act = "", note = "", email = "" } = body as Record<string, string>;
      return renderRecord(ctx, { refused: { act, note, email, issues }, status });
    });
  },
}));

async function act(
  ctx: Context<State>,
  { email: by }: Operator,
  hash: string,
  given: z.infer<typeof input>,
): Promise<void> {
  const { records } = ctx.state.services;
  const reader = readerOfContext(ctx);
  switch (given.act) {
    case "check":
      return void unwrap(await records.checkIdentity({ hash, by, note: given.note }));
    case "revoke":
      return void unwrap(await records.revokeIdentity({ hash, by, note: given.note }));
    case "recover": {
      const { email: newEmail, note } = given;
      return void unwrap(await records.startRecovery({ hash, newEmail, by, note, reader }));
    }
    case "delete": {
      const { organisation } = ctx.state.surface;
      const { digits } = given;
      return void unwrap(
        await removeRecord(ctx.state.services, { hash, digits, by, organisation }),
      );
    }
    case "cancel_recovery":
      return void await records.cancelRecovery(hash, by, reader);
  }
}
