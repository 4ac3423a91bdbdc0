import { page } from "fresh";
import { LockScreen } from "../../../components/documents/LockScreen.tsx";
import { DocumentViewPage } from "../../../components/documents/DocumentViewPage.tsx";
import { clientAddress } from "../../../lib/http/client_address.ts";
import { RequestError, unwrap } from "../../../lib/http/errors.ts";
import {
  countView,
  parseDocumentId,
  readShown,
  versionNumber,
  VIEWER_POLICY,
  visitorOf,
} from "../../../lib/documents/mod.ts";
import { define, pageHandler } from "../../../lib/state.ts";

/**
 * The address in a document's QR codes: `/d/<id>/<page>`. The holder and readers with a grant see the
 * document, everyone else its lock screen. `?version=` names an earlier version.
 */
export const handler = pageHandler({
  async GET(ctx) {
    const { req, info, url, params, state } = ctx;
    const { readings, config } = state.services;
    const id = parseDocumentId(params.id);
    const path = params.page ? `/${params.page}` : "";
    if (id !== null && id !== params.id) return ctx.redirect(`/d/${id}${path}${url.search}`);
    const from = clientAddress(req, info, config.trustProxy);
    const { document } = unwrap(await readings.lookUp(params.id, from));
    const visitor = await visitorOf(ctx, document.id);
    const opened = readings.open(document, visitor, versionNumber(url));
    if (opened === null || !/^(|[1-9]\d{0,4})$/.test(params.page)) throw new RequestError(404);
    const scanned = params.page === "" ? null : Number(params.page);
    const init = { headers: { "cache-control": "no-store" } };
    if (opened.permission === "public") {
      return page({ opened, scanned, shown: null, visitor }, init);
    }
    await countView(ctx, opened, visitor);
    state.policy = VIEWER_POLICY;
    return page({ opened, scanned, shown: await readShown(state.services, opened), visitor }, init);
  },
});

export default define.page<typeof handler>(({ data, state }) =>
  data.shown === null
    ? <LockScreen {...data} state={state} />
    : <DocumentViewPage {...data} shown={data.shown} state={state} />
);
