import { simulateRecipient } from "../../../../lib/features/api/mod.ts";
import { postWithKey } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Does in a test what the recipient would do. */
export const handler = route({
  POST: postWithKey(
    simulateRecipient,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.simulate(call, params.id),
  ),
});
