import { openInConsole } from "../../../../../../lib/features/console/documents.ts";
import { OPERATOR, sendFile } from "../../../../../../lib/features/documents/mod.ts";
import { endpoint } from "../../../../../../lib/platform/http/endpoint.ts";
import { define, type State } from "../../../../../../lib/app/state.ts";

/** The bytes of a document, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { opened } = await openInConsole(ctx);
    return await sendFile(ctx, opened, OPERATOR);
  },
}));
