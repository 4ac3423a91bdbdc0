import { renderEnquiry } from "../../../../components/inbox/render_enquiry.tsx";
import { requireLayer, requirePasskey } from "../../../../lib/features/console/http.ts";
import { enquiryPath, queryOf } from "../../../../lib/features/inbox/paths.ts";
import { checkHash } from "../../../../lib/features/records/http.ts";
import { withConsoleResult } from "../../../../lib/features/console/results.ts";
import { replySchema } from "../../../../lib/features/inbox/mod.ts";
import { checkInput, readInput } from "../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../../lib/platform/http/form_post.ts";
import { route } from "../../../../lib/app/state.ts";

/** Sends a reply to an enquiry. A refused one is shown again with its text. */
export const handler = route({
  GET(ctx) {
    requireLayer(ctx.state, "L1");
    return ctx.redirect(enquiryPath(checkHash(ctx.params.hash), queryOf(ctx.url)), 303);
  },
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    requirePasskey(ctx.state);
    const { services: { inbox }, surface: { organisation } } = ctx.state;
    const hash = checkHash(ctx.params.hash);
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const reply = checkInput(replySchema, given);
      unwrap(await inbox.reply({ organisation, hash, by }, reply));
      const page = enquiryPath(hash, queryOf(ctx.url));
      return formDone(ctx.req, await withConsoleResult(ctx.state, page, "reply", reply.key));
    }, (problem) => renderEnquiry(ctx, { problem, given: { act: "reply", ...given as object } }));
  },
});
