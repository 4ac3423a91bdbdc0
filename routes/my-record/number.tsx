import { z } from "zod";
import { renderNumberPage } from "../../components/codes/CodePage.tsx";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { holderReaderOf, requireHolder } from "../../lib/features/records/mod.ts";
import { define, type State } from "../../lib/app/state.ts";

const input = z.object({ act: z.literal("reject") });

/** The page where a holder confirms the record's number, or says that it isn't theirs. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => renderNumberPage(ctx),
  async POST(ctx) {
    checkInput(input, await readInput(ctx.req));
    const { record } = requireHolder(ctx.state);
    await ctx.state.services.codes.rejectNumber(record, holderReaderOf(ctx));
    return ctx.redirect("/my-record/number", 303);
  },
}));
