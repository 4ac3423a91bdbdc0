import { addCheckpoint } from "../lib/features/witness/mod.ts";
import { addressKey, clientOf } from "../lib/platform/http/client_address.ts";
import { route, type RouteProperties } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  crossSite: "all",
  // It writes only to the witness's own store.
  onlyReads: true,
  notInOpenApi: "The protocol of witnesses, which C2SP tlog-witness describes.",
  noAuthority: "The signature of the log decides.",
};

/** Countersigns a checkpoint of a log that only grows. */
export const handler = route({
  async POST(ctx) {
    const witness = await ctx.state.services.witness.open();
    return await addCheckpoint(witness, ctx.req, addressKey(clientOf(ctx)));
  },
});
