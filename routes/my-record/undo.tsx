import { z } from "zod";
import { CompletedPage, UndonePage, UndoPage } from "../../components/records/UndoPage.tsx";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { statusOf } from "../../lib/platform/http/errors.ts";
import { CONFIDENTIAL, linkSchema, readToken } from "../../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import { readerOfContext, readUndo } from "../../lib/features/records/mod.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  noAuthority: "The token of the mailed link decides.",
};

const input = linkSchema.extend({
  act: z.enum(["undo", "delete"]).default("undo"),
  digits: z.string().max(20).default(""),
});

/**
 * The link of a security notice, which works without a session. GET shows what it undoes and
 * changes nothing, because mail scanners open links too. The link of a deletion can also complete it.
 */
export const handler = route({
  async GET(ctx) {
    const token = await readToken(ctx);
    const opened = await readUndo(ctx.state.services, token);
    const init = { status: statusOf(opened), headers: CONFIDENTIAL };
    return renderWithoutScripts(
      ctx,
      <UndoPage state={ctx.state} opened={opened} token={token} />,
      init,
    );
  },
  async POST(ctx) {
    const { services } = ctx.state;
    const { token, act: action, digits } = checkInput(input, await readInput(ctx.req));
    if (action === "undo") {
      const result = await services.records.undo(token, readerOfContext(ctx));
      const init = { status: statusOf(result), headers: CONFIDENTIAL };
      return renderWithoutScripts(ctx, <UndonePage result={result} />, init);
    }
    const completed = await services.records.deletion.complete(token, digits);
    const init = { status: statusOf(completed), headers: CONFIDENTIAL };
    if (completed.ok) return renderWithoutScripts(ctx, <CompletedPage />, init);
    const opened = await readUndo(services, token);
    const page = <UndoPage state={ctx.state} {...{ opened, token }} problem={completed.message} />;
    return renderWithoutScripts(ctx, page, init);
  },
});
