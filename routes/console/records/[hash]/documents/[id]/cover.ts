import { openInConsole } from "../../../../../../lib/features/console/documents.ts";
import { sendCover } from "../../../../../../lib/features/documents/mod.ts";
import { endpoint } from "../../../../../../lib/platform/http/endpoint.ts";
import { define, type State } from "../../../../../../lib/app/state.ts";

/** The cover sheet of a document that has no issued copy, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { opened } = await openInConsole(ctx);
    return await sendCover(ctx, opened);
  },
}));
