/** The public page of a document, to which the QR codes on its pages lead. */
import { page } from "fresh";
import { LockScreen } from "../../../components/documents/LockScreen.tsx";
import { DocumentViewPage } from "../../../components/documents/DocumentViewPage.tsx";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import {
  documentPath,
  formatDocumentId,
  openView,
  parseDocumentId,
  readRegistration,
  versionNumber,
  VIEWER_POLICY,
  visitorOf,
} from "../../../lib/features/documents/mod.ts";
import { define, pageHandler } from "../../../lib/app/state.ts";

/**
 * The address in a document's QR codes: `/d/<id>/<page>`. The holder and readers with a grant see the
 * document, everyone else its lock screen. `?version=` names an earlier version.
 */
export const handler = pageHandler({
  async GET(ctx) {
    const { url, params, state } = ctx;
    const { readings } = state.services;
    const id = parseDocumentId(params.id);
    const number = params.page ?? "";
    if (id !== null && params.id !== id && params.id !== formatDocumentId(id)) {
      const path = number === "" ? "" : `/${encodeURIComponent(number)}`;
      return ctx.redirect(`${documentPath(id)}${path}${url.search}`);
    }
    const [found, visitor] = await Promise.all([
      readings.lookUp(params.id, clientOf(ctx)),
      visitorOf(ctx, id ?? ""),
    ]);
    const { document, parties } = unwrap(found);
    const opened = readings.open(document, visitor, versionNumber(url));
    if (opened === null || !/^(|[1-9]\d{0,4})$/.test(number)) throw new RequestError(404);
    const scanned = number === "" ? null : Number(number);
    let view = null;
    if (opened.permission !== "public") {
      const [counted, registration] = await Promise.all([
        openView(ctx, opened, visitor),
        opened.permission === "grant" ? readRegistration(state.services, opened) : null,
      ]);
      view = { ...counted, registration };
      state.policy = VIEWER_POLICY;
    }
    return page({ opened, parties, scanned, visitor, view }, {
      headers: { "cache-control": "no-store" },
    });
  },
});

export default define.page<typeof handler>(({ data, state }) =>
  data.view === null
    ? <LockScreen {...data} state={state} />
    : <DocumentViewPage {...data} {...data.view} state={state} />
);
