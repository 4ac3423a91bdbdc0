import { requireLayer, requirePasskey } from "../../../../../../../lib/features/console/http.ts";
import { rowNumber } from "../../../../../../../lib/features/issuing/console_batches.ts";
import { readOwnBatch } from "../../../../../../../lib/features/issuing/http/console.ts";
import { FILE_POLICY, PDF } from "../../../../../../../lib/features/documents/mod.ts";
import { RequestError, unwrap } from "../../../../../../../lib/platform/http/errors.ts";
import { route } from "../../../../../../../lib/app/state.ts";

/** The certificate of a row that is not issued yet, for full administrators. */
export const handler = route({
  async GET({ state, params }) {
    requireLayer(state, "L1");
    requirePasskey(state);
    const { owner, batch } = await readOwnBatch(state, params);
    const { checked } = state.services.batches;
    const number = rowNumber(params.row, batch);
    const [line] = number === null ? [] : await checked.rows(batch, [number]);
    const made = line === undefined ? null : await checked.certificate(owner, line);
    if (made === null) throw new RequestError(404);
    state.policy = () => FILE_POLICY;
    return new Response(unwrap(made).bytes, {
      headers: {
        "content-type": PDF,
        "content-disposition": `attachment; filename="certificate-${line.line}.pdf"`,
        "cache-control": "private, no-store",
        "cross-origin-resource-policy": "same-origin",
      },
    });
  },
});
