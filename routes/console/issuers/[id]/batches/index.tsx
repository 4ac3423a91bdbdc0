import { BatchesPage } from "../../../../../components/issuing/BatchesPage.tsx";
import { renderIssuer } from "../../../../../components/issuers/render_issuer.tsx";
import { listOwnBatches } from "../../../../../lib/features/issuing/console_batches.ts";
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
