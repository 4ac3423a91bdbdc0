import { openInConsole } from "../../../../../../components/documents/open_in_console.ts";
import { OPERATOR, sendFile } from "../../../../../../lib/features/documents/mod.ts";
import { route } from "../../../../../../lib/app/state.ts";

/** The bytes of a document, for full administrators. */
export const handler = route({
  async GET(ctx) {
    const { opened } = await openInConsole(ctx);
    return await sendFile(ctx, opened, OPERATOR);
  },
});
