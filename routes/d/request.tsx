import {
  ConfirmedRequestPage,
  ConfirmRequestPage,
} from "../../components/documents/ConfirmRequestPage.tsx";
import { tokenOf } from "../../lib/platform/http/mailed_link.ts";
import { documentOf } from "../../lib/features/documents/mod.ts";
import { readerOfContext } from "../../lib/features/records/mod.ts";
import { mailedLink } from "../../lib/app/mailed_link.ts";
import type { RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

/** The link that confirms the address of an access request. */
export const handler = mailedLink({
  link: tokenOf,
  async open({ state, url }, token) {
    const opened = await state.services.access.readConfirmation(token);
    const page = <ConfirmRequestPage {...{ opened, token }} named={documentOf(url)} />;
    return { page, result: opened };
  },
  async use(ctx, token) {
    const result = await ctx.state.services.access.confirm(token, readerOfContext(ctx));
    return { page: <ConfirmedRequestPage result={result} named={documentOf(ctx.url)} />, result };
  },
});
