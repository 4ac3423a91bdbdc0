import { renderEnquiry } from "../../../../components/inbox/render_enquiry.tsx";
import { requireLayer } from "../../../../lib/features/console/http.ts";
import { neighboursOf, queryOf } from "../../../../lib/features/inbox/paths.ts";
import { resultPage } from "../../../../components/inbox/results.ts";
import { checkHash } from "../../../../lib/features/records/http.ts";
import { withConsoleResult } from "../../../../lib/features/console/results.ts";
import { inboxActionSchema } from "../../../../lib/features/inbox/mod.ts";
import { checkInput, readInput } from "../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../../lib/platform/http/form_post.ts";
import { route } from "../../../../lib/app/state.ts";

/** One enquiry, for full administrators: its history, owner, notes and state. */
export const handler = route({
  GET: (ctx) => renderEnquiry(ctx),
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services: { inbox }, surface: { organisation } } = ctx.state;
    const hash = checkHash(ctx.params.hash);
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const form = checkInput(inboxActionSchema, given);
      const query = queryOf(ctx.url);
      const { items } = await inbox.list(organisation, query, by);
      unwrap(await inbox.act({ organisation, hash, by }, form));
      const { href, done, of } = resultPage(hash, form.act, query, neighboursOf(items, hash));
      return formDone(ctx.req, await withConsoleResult(ctx.state, href, done, of));
    }, (problem) => renderEnquiry(ctx, { problem, given }));
  },
});
