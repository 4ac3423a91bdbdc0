import { openFor, sendCover } from "../../../lib/features/documents/mod.ts";
import { route } from "../../../lib/app/state.ts";

/** The cover sheet of a document that has no issued copy, for those who may read the document. */
export const handler = route({
  async GET(ctx) {
    const found = await openFor(ctx, ctx.params.id);
    return found === null
      ? ctx.redirect(`/d/${encodeURIComponent(ctx.params.id)}`, 303)
      : await sendCover(ctx, found.opened);
  },
});
