import { UndonePage, UndoPage } from "../../components/records/UndoPage.tsx";
import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { statusOf } from "../../lib/platform/http/errors.ts";
import { CONFIDENTIAL, readToken } from "../../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import { readerOfContext } from "../../lib/features/records/mod.ts";
import { define, type State } from "../../lib/app/state.ts";

/**
 * The link of a security notice, which works without a session. GET shows what it undoes and
 * changes nothing, because mail scanners open links too.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const token = await readToken(ctx);
    const opened = await ctx.state.services.records.readUndo(token);
    const init = { status: statusOf(opened), headers: CONFIDENTIAL };
    return renderWithoutScripts(ctx, <UndoPage opened={opened} token={token} />, init);
  },
  async POST(ctx) {
    const token = await readToken(ctx);
    const result = await ctx.state.services.records.undo(token, readerOfContext(ctx));
    const init = { status: statusOf(result), headers: CONFIDENTIAL };
    return renderWithoutScripts(ctx, <UndonePage result={result} />, init);
  },
}));
