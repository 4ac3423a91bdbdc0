import { renderRecord } from "../../../components/records/render_console_record.tsx";
import { requireLayer, requirePasskey } from "../../../lib/features/console/http.ts";
import { readOwnRecord } from "../../../lib/features/records/http.ts";
import { actOnRecord, recordActionSchema } from "../../../lib/features/records/record_actions.ts";
import { withConsoleResult } from "../../../lib/features/console/results.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../lib/platform/http/form_post.ts";
import { readerOfContext } from "../../../lib/features/records/mod.ts";
import { route } from "../../../lib/app/state.ts";

/** One record, for full administrators: identity check, recovery and deletion. */
export const handler = route({
  GET: (ctx) => renderRecord(ctx),
  async POST(ctx) {
    const { services, surface: { organisation } } = ctx.state;
    const { email: by } = requireLayer(ctx.state, "L1");
    requirePasskey(ctx.state);
    const { hash } = await readOwnRecord(ctx.state, ctx.params.hash);
    const body = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const form = checkInput(recordActionSchema, body);
      const actor = { hash, organisation, by, reader: readerOfContext(ctx) };
      unwrap(await actOnRecord(services, actor, form));
      const { act } = form;
      const [page, done, of] = act === "delete"
        ? ["/console/records", "delete_record", hash] as const
        : [ctx.url.pathname, act === "revoke" ? "revoke_level" : act] as const;
      return formDone(ctx.req, await withConsoleResult(ctx.state, page, done, of));
    }, ({ status, message, issues = { note: message } }) => {
      const { act = "", note = "", email = "" } = body as Record<string, string>;
      return renderRecord(ctx, { refused: { act, note, email, issues }, status });
    });
  },
});
