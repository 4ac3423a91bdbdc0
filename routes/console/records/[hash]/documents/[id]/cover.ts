import { openInConsole } from "../../../../../../lib/console/documents.ts";
import { sendCover } from "../../../../../../lib/documents/mod.ts";
import { endpoint } from "../../../../../../lib/http/endpoint.ts";
import { define, type State } from "../../../../../../lib/state.ts";

/** The cover sheet of a document that has no issued copy, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { opened } = await openInConsole(ctx);
    return await sendCover(ctx, opened);
  },
}));
