/** Undoes a change of a record that its holder did not make, with the link from a notice. */
import { z } from "zod";
import { CompletedPage, UndonePage, UndoPage } from "../../components/records/UndoPage.tsx";
import { checkInput } from "../../lib/platform/http/body.ts";
import { tokenOf } from "../../lib/platform/http/mailed_link.ts";
import { readerOfContext, readUndo } from "../../lib/features/records/mod.ts";
import { mailedLink } from "../../lib/app/mailed_link.ts";
import type { RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  noAuthority: "The token of the mailed link decides.",
};

const actionSchema = z.object({
  act: z.enum(["undo", "delete"]).default("undo"),
  digits: z.string().max(20).default(""),
});

/**
 * The link of a security notice, which undoes an event without a session. The link of a deletion can also
 * complete it.
 */
export const handler = mailedLink({
  link: tokenOf,
  async open({ state }, token) {
    const opened = await readUndo(state.services, token);
    return { page: <UndoPage {...{ state, opened, token }} />, result: opened };
  },
  async use(ctx, token, input) {
    const { state } = ctx;
    const { services } = state;
    const { act: action, digits } = checkInput(actionSchema, input);
    if (action === "undo") {
      const result = await services.records.undo(token, readerOfContext(ctx));
      return { page: <UndonePage result={result} />, result };
    }
    const result = await services.records.deletion.complete(token, digits);
    if (result.ok) return { page: <CompletedPage />, result };
    const opened = await readUndo(services, token);
    const page = <UndoPage {...{ state, opened, token }} problem={result.message} />;
    return { page, result };
  },
});
