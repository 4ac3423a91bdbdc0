import { RequestError } from "../../lib/platform/http/errors.ts";
import { readerOfContext, requireHolder } from "../../lib/features/records/mod.ts";
import { route } from "../../lib/app/state.ts";

/** The holder's copy of the record: the record, its salt, the chain and the publisher's keys. */
export const handler = route({
  async GET(ctx) {
    const { record } = requireHolder(ctx.state);
    const text = await ctx.state.services.records.download(record, readerOfContext(ctx));
    if (text === null) throw new RequestError(404);
    return new Response(text, {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="record-${record.slice(0, 8)}.json"`,
        "cache-control": "no-store",
      },
    });
  },
});
