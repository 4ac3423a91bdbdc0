/**
 * The issuers whose later documents go into a record at once.
 *
 * @module
 */
import type { Documents } from "../documents/mod.ts";
import { addAccess, type Reader } from "../records/mod.ts";
import { endFollowing, findFollowed } from "./followed.ts";
import type { Store } from "./recipients.ts";

/** An issuer whose later documents go into a record at once. */
export interface LaterIssuer {
  /** The id of the issuer. */
  id: string;
  /** As on its newest document; empty if all of its documents were removed. */
  name: string;
  /** The addresses to which it issues, as it gave them. */
  emails: string[];
  /** When its first document was accepted, ISO 8601 in UTC. */
  since: string;
}

/** The acceptance of an issuer's later documents without asking, until the holder ends it. */
export interface LaterDocuments {
  /** Returns the issuers whose later documents go into a record at once, in the order of acceptance. */
  issuersOf(record: string): Promise<LaterIssuer[]>;
  /**
   * Ends it for one issuer, whose next document waits for its recipient again, at all addresses of the mailbox. Those
   * in the record stay. Repeating it changes nothing.
   */
  end(record: string, ended: { issuer: string; reader: Reader }): Promise<void>;
}

export function createLaterDocuments(
  { documents, clock, ...store }: Store & {
    clock: () => number;
    documents: Pick<Documents, "ofRecipient">;
  },
): LaterDocuments {
  const { kv } = store;
  const nameOf = async (recipient: string) =>
    (await documents.ofRecipient(recipient)).at(-1)?.issuer.name ?? "";

  return {
    async issuersOf(record) {
      const followed = (await findFollowed(kv, record)).map(({ value }) => value)
        .sort((a, b) => a.state_at.localeCompare(b.state_at));
      const byIssuer = Map.groupBy(followed, ({ issuer }) => issuer);
      return await Promise.all(Array.from(byIssuer, async ([id, rows]) => ({
        id,
        name: await nameOf(rows.at(-1)!.id),
        emails: rows.flatMap(({ email }) => email ?? []),
        since: rows[0].state_at,
      })));
    },
    async end(record, { issuer, reader }) {
      for (const { value } of await findFollowed(kv, record)) {
        if (value.issuer !== issuer) continue;
        const detail = await nameOf(value.id);
        await endFollowing(store, value, (commit) => {
          addAccess(commit, record, { what: "issuer_ended", reader, detail }, clock());
        });
      }
    },
  };
}
