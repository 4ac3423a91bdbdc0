import { BatchesPage } from "../../../../../components/console/issuers/BatchesPage.tsx";
import { renderIssuer } from "../../../../../components/console/issuers/render_issuer.tsx";
import { listOwnBatches } from "../../../../../lib/features/console/own_batches.ts";
import { route } from "../../../../../lib/app/state.ts";

/** The batches of an issuer, for full administrators. */
export const handler = route({
  GET: (ctx) =>
    renderIssuer(
      ctx,
      "batches",
      (id) => listOwnBatches(ctx.state.services.batches, id),
      (issuer, batches) => <BatchesPage issuer={issuer} {...batches} />,
    ),
});
