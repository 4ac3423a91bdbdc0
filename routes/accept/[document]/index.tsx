import { OfferedDocumentPage } from "../../../components/issuing/OfferedDocumentPage.tsx";
import { offerOf } from "../../../lib/features/issuing/mod.ts";
import {
  openView,
  parseDocumentId,
  RECIPIENT,
  VIEWER_POLICY,
} from "../../../lib/features/documents/mod.ts";
import { RequestError } from "../../../lib/platform/http/errors.ts";
import { CONFIDENTIAL } from "../../../lib/platform/http/mailed_link.ts";
import { route } from "../../../lib/app/state.ts";

/** A document that waits for its recipient, whose browser remembers the mailed link. */
export const handler = route({
  async GET(ctx) {
    const { state, req, params } = ctx;
    const { services } = state;
    const link = offerOf(req);
    const id = parseDocumentId(params.document);
    if (link === null || id === null) throw new RequestError(404, OPEN_AGAIN);
    const opened = await services.issuing.acceptance.look(link, id);
    if (opened === null) return ctx.redirect("/accept", 303);
    const [view, partiesOf] = await Promise.all([
      openView(ctx, opened, RECIPIENT),
      services.documentParties.of([opened.document]),
    ]);
    state.policy = VIEWER_POLICY;
    const parties = partiesOf(opened.document);
    const page = <OfferedDocumentPage {...{ opened, parties, state }} {...view} />;
    return await ctx.render(page, { headers: CONFIDENTIAL });
  },
});

const OPEN_AGAIN = "Open the link in the email about the document again.";
