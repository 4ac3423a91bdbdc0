import { openInConsole } from "../../../../../../components/documents/open_in_console.ts";
import { countPrint, OPERATOR } from "../../../../../../lib/features/documents/mod.ts";
import { route } from "../../../../../../lib/app/state.ts";

/** The console's page that shows a document posts here when its Print button is used. */
export const handler = route({
  async POST(ctx) {
    const { opened } = await openInConsole(ctx, { open: true });
    await countPrint(ctx, opened, OPERATOR);
    return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  },
});
