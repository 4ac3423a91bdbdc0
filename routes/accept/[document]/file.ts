import { offerOf } from "../../../lib/features/issuing/mod.ts";
import { parseDocumentId, RECIPIENT, sendFile } from "../../../lib/features/documents/mod.ts";
import { route } from "../../../lib/app/state.ts";

/** The bytes of a document that waits for its recipient, whose browser remembers the mailed link. */
export const handler = route({
  async GET(ctx) {
    const { acceptance } = ctx.state.services.issuing;
    const link = offerOf(ctx.req);
    const id = parseDocumentId(ctx.params.document);
    const look = async () => link && id && await acceptance.look(link, id);
    const opened = await look();
    return opened
      ? await sendFile(ctx, opened, RECIPIENT, async () => Boolean(await look()))
      : ctx.redirect("/accept", 303);
  },
});
