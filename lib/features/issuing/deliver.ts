/**
 * The delivery of a document that is mailed later than it was issued.
 *
 * @module
 */
import type { Failure } from "../../base/result.ts";
import { inUnit } from "../../platform/kv/mod.ts";
import type { DocumentRow, Documents } from "../documents/mod.ts";
import { isFollowed, readAccepted } from "./followed.ts";
import type { AddRecipient } from "./add_recipient.ts";
import { type Recipient, recipients } from "./recipients.ts";

/**
 * Puts a document that was issued to be mailed later where it belongs now: into the record of a recipient who has
 * accepted one before, or with the offers, if the holder has ended that meanwhile. If it belongs nowhere any more, its
 * files are erased, as if nobody had accepted it. Repeating it changes nothing.
 *
 * @returns the document to mail about; null if there is none
 */
export type Deliver = (id: string) => Promise<DocumentRow | null>;

/** Creates the function that delivers documents. */
export function createDeliver(options: {
  kv: Deno.Kv;
  clock: () => number;
  documents: Pick<Documents, "read" | "readEntry" | "eraseFiles" | "write">;
  addRecipient: AddRecipient;
}): Deliver {
  const { kv, documents, addRecipient } = options;

  /** Erases the files of a document that belongs nowhere. */
  async function lapse(id: string, type: "document.refused" | "document.lapsed"): Promise<null> {
    await documents.eraseFiles(id, type);
    return null;
  }

  /** Gives a document to the recipient who has its address now. */
  async function offerAgain(
    { id, named }: DocumentRow,
    { issuer, test, name, email }: Recipient,
  ): Promise<DocumentRow | null> {
    if (name === null || email === null) return await lapse(id, "document.lapsed");
    const person = { address: { issuer, test, email }, name: named ?? name, mails: false };
    const given = await inUnit<{ ok: true } | Failure>(options, async (unit) => {
      const entry = await documents.readEntry(id);
      if (entry === null || entry.value.record !== null) return { ok: true };
      const added = await addRecipient(unit, person);
      if (!added.ok) return added;
      documents.write.giveTo(unit, entry, added.recipient.id);
      return { ok: true };
    });
    if (given.ok) return await deliver(id); // they may have accepted since
    const isRefused = given.error === "recipient_refused";
    return await lapse(id, isRefused ? "document.refused" : "document.lapsed");
  }

  async function deliver(id: string): Promise<DocumentRow | null> {
    const document = await documents.read(id);
    if (document === null || document.record !== null) return document;
    const { value } = await recipients.get(kv, document.recipient ?? "");
    if (value === null) return await lapse(id, "document.lapsed"); // erased with their record
    if (value.state !== "accepted" || value.record === null) return document;
    if (!isFollowed(value)) return await offerAgain(document, value);
    const { record } = value;
    await inUnit(options, async (unit) => {
      const accepted = await readAccepted(kv, value.id);
      if (accepted === null) return {};
      if (await documents.write.attach(unit, id, record)) unit.commit.check(accepted);
      return {};
    });
    const { value: after } = await recipients.get(kv, value.id);
    return after !== null && isFollowed(after) ? await documents.read(id) : await deliver(id);
  }
  return deliver;
}
