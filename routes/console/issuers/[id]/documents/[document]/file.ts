import { openIssued } from "../../../../../../components/issuing/open_issued.ts";
import { OPERATOR, sendFile } from "../../../../../../lib/features/documents/mod.ts";
import { route } from "../../../../../../lib/app/state.ts";

/** The bytes of an issued document that waits for its recipient, for full administrators. */
export const handler = route({
  GET: async (ctx) => await sendFile(ctx, await openIssued(ctx), OPERATOR),
});
