import { requireLayer } from "../../../../../../lib/features/console/http.ts";
import { readOwnBatch } from "../../../../../../lib/features/issuing/http/console.ts";
import { unwrap } from "../../../../../../lib/platform/http/errors.ts";
import { route } from "../../../../../../lib/app/state.ts";

/** The outcome of each row of a batch as a CSV file, for full administrators. */
export const handler = route({
  async GET({ state, params }) {
    requireLayer(state, "L1");
    const { owner, batch } = await readOwnBatch(state, params);
    return unwrap(await state.services.batchApi.results(owner, batch.id)).csv;
  },
});
