import { z } from "zod";
import { redirectForHolder, renderNumberPage } from "../../components/codes/CodePage.tsx";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { clientAddress } from "../../lib/http/client_address.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readerOf, requireHolder } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const input = z.object({ act: z.literal("reject") });

/** The page where a holder confirms the record's number, or says that it isn't theirs. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => renderNumberPage(ctx),
  async POST(ctx) {
    checkInput(input, await readInput(ctx.req));
    const { codes, config } = ctx.state.services;
    try {
      const { record } = requireHolder(ctx.state);
      const address = clientAddress(ctx.req, ctx.info, config.trustProxy);
      await codes.rejectNumber(record, readerOf(ctx.req, address));
    } catch (error) {
      const redirect = redirectForHolder(error);
      if (redirect === undefined) throw error;
      return redirect;
    }
    return ctx.redirect("/my-record/number", 303);
  },
}));
