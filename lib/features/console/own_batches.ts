import type { Batches, BatchOwner, BatchRow } from "../issuing/batches/mod.ts";
import type { Issuers } from "../issuers/mod.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { readOwnIssuer } from "./own_issuers.ts";

/** A batch, and the issuer for which it is. */
export interface OwnBatch {
  owner: BatchOwner;
  batch: BatchRow;
}

/**
 * Reads a batch of an issuer of the console's organisation.
 *
 * @throws {RequestError} 404 if it does not exist or belongs to another issuer
 */
export async function readOwnBatch(
  state: { surface: Surface; services: { issuers: Issuers; batches: Batches } },
  params: Record<string, string>,
): Promise<OwnBatch> {
  const issuer = await readOwnIssuer(state, params.id);
  for (const test of [false, true]) {
    const owner = { issuer, test };
    const batch = await state.services.batches.read(owner, params.batch);
    if (batch !== null) return { owner, batch };
  }
  throw new RequestError(404);
}
