import { openFor, sendFile } from "../../../lib/features/documents/mod.ts";
import { route } from "../../../lib/app/state.ts";

/**
 * The bytes of a document, for those who may read it: the issued copy, or with `?form=original` the
 * original. Everyone else is led to the lock screen, also for unknown ids.
 */
export const handler = route({
  async GET(ctx) {
    const found = await openFor(ctx, ctx.params.id);
    return found === null
      ? ctx.redirect(`/d/${encodeURIComponent(ctx.params.id)}`, 303)
      : await sendFile(ctx, found.opened, found.visitor);
  },
});
