import type { DocumentRow, Documents } from "../documents/mod.ts";
import { isFollowed, readAccepted } from "./followed.ts";
import type { PlaceFor } from "./place.ts";
import { type Recipient, recipients } from "./recipients.ts";

/**
 * Puts a document that was issued to be mailed later where it belongs now: into the record of a recipient who has
 * accepted one before, or with the offers, if the holder has ended that meanwhile. If it has no place any more, its
 * files are erased, as if nobody had accepted it. Repeating it changes nothing.
 *
 * @returns the document to mail about; null if there is none
 */
export type Deliver = (id: string) => Promise<DocumentRow | null>;

/** Creates the function that delivers documents. */
export function createDeliver({ kv, documents, placeFor }: {
  kv: Deno.Kv;
  documents: Pick<Documents, "read" | "attach" | "giveTo" | "eraseFiles">;
  placeFor: PlaceFor;
}): Deliver {
  /** Erases the files of a document that has no place. */
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
    const refused = await documents.giveTo(id, async (commit, now) => {
      const placed = await placeFor(commit, person, now);
      return placed.ok ? { ok: true, recipient: placed.recipient.id } : placed;
    });
    if (refused === null) return await deliver(id); // they may have accepted since
    const isRefused = refused.error === "recipient_refused";
    return await lapse(id, isRefused ? "document.refused" : "document.lapsed");
  }

  async function deliver(id: string): Promise<DocumentRow | null> {
    const document = await documents.read(id);
    if (document === null || document.record !== null) return document;
    const { value } = await recipients.get(kv, document.recipient ?? "");
    if (value === null) return await lapse(id, "document.lapsed"); // erased with their record
    if (value.state !== "accepted" || value.record === null) return document;
    if (!isFollowed(value)) return await offerAgain(document, value);
    await documents.attach(id, value.record, async (commit) => {
      const accepted = await readAccepted(kv, value.id);
      if (accepted !== null) commit.check(accepted);
      return accepted !== null;
    });
    const { value: after } = await recipients.get(kv, value.id);
    return after !== null && isFollowed(after) ? await documents.read(id) : await deliver(id);
  }
  return deliver;
}
