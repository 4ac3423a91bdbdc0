import { openInConsole } from "../../../../../../components/documents/open_in_console.ts";
import { sendCover } from "../../../../../../lib/features/documents/mod.ts";
import { route } from "../../../../../../lib/app/state.ts";

/** The cover sheet of a document that has no issued copy, for full administrators. */
export const handler = route({
  async GET(ctx) {
    const { opened } = await openInConsole(ctx);
    return await sendCover(ctx, opened);
  },
});
