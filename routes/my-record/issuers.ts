import { z } from "zod";
import { withResult } from "../../lib/platform/http/action_result.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { formDone } from "../../lib/platform/http/form_post.ts";
import { readerOfContext, requireHolder } from "../../lib/features/records/mod.ts";
import { route } from "../../lib/app/state.ts";

const schema = z.object({ act: z.literal("end"), issuer: z.string().max(100) });

/** Ends that an issuer's later documents are added to the holder's record at once. */
export const handler = route({
  async POST(ctx) {
    const { services } = ctx.state;
    const { record } = requireHolder(ctx.state);
    const { issuer } = checkInput(schema, await readInput(ctx.req));
    const reader = readerOfContext(ctx);
    await services.issuing.laterDocuments.end(record, { issuer, reader });
    return formDone(
      ctx.req,
      await withResult(services, record, "/my-record", "end_issuer", issuer),
    );
  },
});
