import { latestCheckpoint } from "../../../lib/features/witness/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "The protocol of witnesses, which C2SP tlog-witness describes.",
};

/** Returns the newest checkpoint of a log that this witness has countersigned, by SHA-256 of the log's origin. */
export const handler = route({
  GET: async ({ params, state }) =>
    await latestCheckpoint(await state.services.witness.open(), params.log),
});
