import { z } from "zod";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { formDone } from "../../lib/platform/http/form_post.ts";
import { readerOfContext, requireHolder } from "../../lib/features/records/mod.ts";
import { route } from "../../lib/app/state.ts";

const schema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("disconnect"), agent: z.string().max(100) }),
  z.object({ act: z.literal("disconnect_all") }),
]);

/** Disconnects one agent of the holder's record, or all of them. Their tokens end at once. */
export const handler = route({
  async POST(ctx) {
    const { record } = requireHolder(ctx.state);
    const input = checkInput(schema, await readInput(ctx.req));
    const { agents } = ctx.state.services.oauth;
    const reader = readerOfContext(ctx);
    if (input.act === "disconnect_all") await agents.disconnectAll(record, reader);
    else await agents.disconnect(record, input.agent, reader);
    return formDone(ctx.req, "/my-record#agents");
  },
});
