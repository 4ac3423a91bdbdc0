import { latestCheckpoint } from "../../../lib/features/witness/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "The protocol of witnesses, which C2SP tlog-witness describes.",
};

/** What this witness has countersigned last for a log, by SHA-256 of the log's origin. */
export const handler = route({
  GET: async ({ params, state }) =>
    await latestCheckpoint(await state.services.witness.open(), params.log),
});
