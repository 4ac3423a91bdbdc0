import { z } from "zod";
import { renderNumberPage } from "../../components/codes/CodePage.tsx";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { readerOfContext, requireHolder } from "../../lib/features/records/mod.ts";
import { route } from "../../lib/app/state.ts";

const input = z.object({ act: z.literal("reject") });

/** The page where a holder confirms the record's number, or says that it isn't theirs. */
export const handler = route({
  GET: (ctx) => renderNumberPage(ctx),
  async POST(ctx) {
    checkInput(input, await readInput(ctx.req));
    const { record } = requireHolder(ctx.state);
    await ctx.state.services.codes.rejectNumber(record, readerOfContext(ctx));
    return ctx.redirect("/my-record/number", 303);
  },
});
