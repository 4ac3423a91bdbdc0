import { z } from "zod";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { formDone } from "../../lib/platform/http/form_post.ts";
import { readerOfContext, requireHolder } from "../../lib/features/records/mod.ts";
import { route } from "../../lib/app/state.ts";

const schema = z.object({ act: z.literal("end"), issuer: z.string().max(100) });

/** Ends that an issuer's later documents are added to the holder's record at once. */
export const handler = route({
  async POST(ctx) {
    const { record } = requireHolder(ctx.state);
    const { issuer } = checkInput(schema, await readInput(ctx.req));
    const reader = readerOfContext(ctx);
    await ctx.state.services.issuing.laterDocuments.end(record, { issuer, reader });
    return formDone(ctx.req, "/my-record#issuers");
  },
});
