/**
 * How many documents one issuer can issue to a person. Records are shared by issuers, so it counts the issuer's own
 * alone: nobody uses up the places of others, or learns from a refusal how many documents they have issued.
 *
 * @module
 */
import { fail } from "../../base/result.ts";
import { apart } from "../../platform/kv/mod.ts";
import type { Documents } from "../documents/mod.ts";
import { BY_RECORD, recipients } from "./recipients.ts";

/** The most documents of one issuer in a record, and the most that wait for a recipient. */
export const MAX_ISSUED = 100;

/** The failure of what would issue one more. */
export const TOO_MANY = fail("too_many_documents", {
  message: `The recipient has ${MAX_ISSUED} documents of yours, which is the limit.`,
});

/** Counts the documents that an issuer has issued into a record, with those of batches whose mails wait. */
export const countIssued = (
  { kv, documents }: { kv: Deno.Kv; documents: Pick<Documents, "idsOfRecipient"> },
  record: string,
  issuer: string,
): Promise<number> =>
  apart("The limit may be exceeded by what is issued at the same time.", async () => {
    const rows = await recipients.find(kv, BY_RECORD, [record]);
    const own = rows.filter(({ value }) => value.issuer === issuer);
    const ids = await Promise.all(own.map(({ value }) => documents.idsOfRecipient(value.id)));
    return ids.flat().length;
  });
