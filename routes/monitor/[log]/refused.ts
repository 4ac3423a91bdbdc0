import { refusedCheckpoints } from "../../../lib/features/witness/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "Evidence for monitors, below the path that C2SP tlog-witness describes.",
};

/** The checkpoints of a log that this witness refused, which may prove a fork. */
export const handler = route({
  GET: async ({ params, state }) =>
    await refusedCheckpoints(await state.services.witness.open(), params.log),
});
