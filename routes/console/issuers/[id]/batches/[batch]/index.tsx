/** The console's page about one batch of certificates: its rows, its progress and its actions. */
import BatchProgress from "../../../../../../islands/BatchProgress.tsx";
import PdfPreview from "../../../../../../islands/PdfPreview.tsx";
import {
  type BatchIslands,
  renderBatch,
} from "../../../../../../components/issuing/render_batch.tsx";
import { requireLayer, requirePasskey } from "../../../../../../lib/features/console/http.ts";
import { actOnBatch } from "../../../../../../lib/features/issuing/console_batches.ts";
import { readOwnBatch } from "../../../../../../lib/features/issuing/http/console.ts";
import { batchActSchema } from "../../../../../../lib/features/issuing/batches/mod.ts";
import { checkInput, readInput } from "../../../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../../../../lib/platform/http/form_post.ts";
import { route } from "../../../../../../lib/app/state.ts";

const ISLANDS: BatchIslands = {
  progress: <BatchProgress />,
  draw: (file) => <PdfPreview {...file} />,
};

/** A batch of an issuer, for full administrators, who can issue it, send its mails or undo it. */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    return await renderBatch(ctx, ISLANDS, await readOwnBatch(ctx.state, ctx.params));
  },
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const own = await readOwnBatch(state, params);
    return await orShowForm(
      req,
      async () => {
        const { act } = checkInput(batchActSchema, await readInput(req));
        const { href } = unwrap(await actOnBatch(state.services.batches, own, { act, by }));
        return formDone(req, href);
      },
      async ({ status, message: problem }) =>
        await renderBatch(ctx, ISLANDS, await readOwnBatch(state, params), { problem, status }),
    );
  },
});
