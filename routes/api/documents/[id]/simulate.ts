import { simulateRecipient } from "../../../../lib/features/api/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Does in a test what the recipient would do. */
export const handler = route({
  POST: postWithKey(
    simulateRecipient,
    ({ params, state: { services: { issuerApi } } }, call) => issuerApi.simulate(call, params.id),
  ),
});
