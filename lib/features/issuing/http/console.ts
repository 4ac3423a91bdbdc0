/** Reads the documents and batches that requests to the consoles name. */
import { RequestError } from "../../../platform/http/errors.ts";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import { type Documents, parseDocumentId } from "../../documents/mod.ts";
import { type IssuerRow, type Issuers, readOwnIssuer } from "../../issuers/mod.ts";
import type { Batches } from "../batches/mod.ts";
import type { OwnBatch } from "../console_batches.ts";
import type { Listed } from "../listed.ts";
import type { Issuing } from "../mod.ts";

/**
 * Reads a document of an issuer of the console's organisation, with its recipient.
 *
 * @throws {RequestError} 404 if it does not exist or belongs to another issuer
 */
export async function readOwnIssued(
  state: {
    surface: Surface;
    services: { issuers: Issuers; documents: Documents; issuing: Pick<Issuing, "recipientsOf"> };
  },
  params: Record<string, string>,
): Promise<Listed & { issuer: IssuerRow }> {
  const { documents, issuing } = state.services;
  const id = parseDocumentId(params.document);
  const [issuer, document] = await Promise.all([
    readOwnIssuer(state, params.id),
    id === null ? null : documents.read(id),
  ]);
  if (document?.issuer.id !== issuer.id || document.organisation !== issuer.organisation) {
    throw new RequestError(404);
  }
  const recipients = await issuing.recipientsOf([document]);
  return { issuer, document, recipient: recipients.get(document.recipient ?? "") ?? null };
}

/**
 * Reads a batch of an issuer of the console's organisation, also one that is only checked.
 *
 * @throws {RequestError} 404 if it does not exist or belongs to another issuer
 */
export async function readOwnBatch(
  state: { surface: Surface; services: { issuers: Issuers; batches: Batches } },
  params: Record<string, string>,
): Promise<OwnBatch> {
  const [issuer, batch] = await Promise.all([
    readOwnIssuer(state, params.id),
    state.services.batches.checked.find(params.id, params.batch),
  ]);
  if (batch === null) throw new RequestError(404);
  return { owner: { issuer, test: batch.test }, batch };
}
