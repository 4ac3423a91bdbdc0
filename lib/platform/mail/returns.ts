/** Handles mails that came back, and reports about mails after they were sent. */
import type { Secrets } from "../../base/secrets.ts";
import {
  changeDelivery,
  deliveries,
  deliveriesTo,
  type DeliveryRow,
  findDelivery,
  type LostMessage,
} from "../jobs/mod.ts";
import { apart, type Attempt, transact, unchecked } from "../kv/mod.ts";
import type { SenderKey } from "../surfaces/table.ts";
import { fingerprintsOf, isStopped, mailAddresses, noteAddress, readAddress } from "./addresses.ts";
import type { MailKind } from "./kinds.ts";
import type { Bounce } from "./status.ts";

/** Describes a mail without its recipient. */
interface MailLabels {
  /** Undefined for a mail that an earlier version of the site queued. */
  kind?: MailKind;
  sender?: SenderKey;
  /** The batch of documents that it belongs to, and the number of its row. */
  batch?: string;
  row?: string;
}

/** A mail that was given up. An operator can send it again. */
export interface LostMail extends Omit<LostMessage, "labels">, MailLabels {}

/** A mail that came back: its address or its sender was refused, or its recipient has complained. It need not be lost. */
export interface ReturnedMail extends LostMail {
  what: Bounce | "complaint";
  /** True if it came back after it was sent, so that it is not one of the mails that were given up. */
  isReported: boolean;
}

/** A report of the mail server, or of the recipient's, about a mail that was sent. */
export interface MailReport {
  /** The id of the mail, or the address to which it went if the report does not have the id. */
  mail: { id: string } | { to: string };
  what: Bounce | "complaint" | "delivered";
  /** The code of the server's reply, such as `5.1.1`. */
  reply: string | null;
}

/** Adds to the commit that notes that a mail came back. It runs again if the commit fails. */
export type AddToReturn = (
  commit: Deno.AtomicOperation,
  returned: ReturnedMail,
) => void | Promise<void>;

const REASONS = {
  hard: "recipient_refused",
  soft: "recipient_unavailable",
  block: "policy_refused",
  complaint: "complaint",
} as const;

/** How many mails to an address are searched for the one that a report without an id is about. */
const MOST_SEARCHED = 20;

/**
 * Creates what the mailer knows of mails that come back. Only the id of a mail of ours, or the address in a signed
 * report, decides which address a report is about, so nobody can mark another person's address.
 */
export function createReturns({ kv, clock, secrets, addToReturn }: {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  addToReturn?: AddToReturn;
}) {
  async function add(commit: Deno.AtomicOperation, returned: ReturnedMail): Promise<void> {
    const { what, recipient: address, reply = null } = returned;
    if (address !== undefined && (what === "hard" || what === "complaint")) {
      await noteAddress(kv, commit, { address, what, reply }, clock());
    }
    await addToReturn?.(commit, returned);
  }

  /**
   * Finds the mail that a report is about: without an id, the last one to the address that was sent. One that has come
   * back already counts, so that a report that is repeated is not about an earlier mail.
   */
  async function find({ mail }: MailReport): Promise<{ about: string; row: DeliveryRow } | null> {
    if ("id" in mail) return await findDelivery(kv, mail.id);
    const fingerprints = await fingerprintsOf(secrets, mail.to);
    const found = await deliveriesTo(kv, fingerprints, { limit: MOST_SEARCHED, now: clock() });
    return found.find(({ row: { state } }) => state === "sent" || state === "returned") ?? null;
  }

  /** Forgets the only refusal of an address that has accepted a later mail: its server was at fault. */
  async function forgetRefusal({ recipient, created_at }: DeliveryRow): Promise<Attempt<boolean>> {
    const entry = await mailAddresses.get(kv, recipient!);
    const { value } = entry;
    const isOver = value?.refusals === 1 && value.refused_at! < created_at &&
      value.complained_at === null;
    if (!isOver) {
      unchecked("Nothing changes.", entry);
      return { result: true };
    }
    const commit = kv.atomic().check(entry);
    mailAddresses.delete(commit, value);
    return { result: true, commit };
  }

  return {
    /**
     * Adds to the commit of a failure what it says about the address or the sender. A sender that is refused is
     * noted at the first attempt, and an address when the mail is given up.
     */
    async addFailure(
      commit: Deno.AtomicOperation,
      failed: LostMail,
      { isFirst }: { isFirst: boolean },
    ): Promise<void> {
      const what = isFirst ? "block" : "hard";
      if (failed.reason === REASONS[what]) {
        await add(commit, { ...failed, what, isReported: false });
      }
    },
    /** Notes a report. Returns false if no such mail is known. */
    report: (report: MailReport): Promise<boolean> =>
      transact<boolean>(async () => {
        const { what, reply } = report;
        const found = await apart("The row is read again.", () => find(report));
        if (found === null) return { result: false };
        if (what === "delivered") return await forgetRefusal(found.row);
        const { about, row: { id, recipient, labels } } = found;
        const entry = await deliveries.get(kv, about, id);
        if (entry.value === null) return { result: false };
        const { state, reason: before } = entry.value;
        const reason = REASONS[what];
        // Providers repeat reports, and the recipient of one mail can write many to its return path.
        if (state === "returned" && (what !== "complaint" || before === reason)) {
          return { result: true };
        }
        const commit = kv.atomic().check(entry);
        const change = { state: "returned", reason, reply } as const;
        await changeDelivery(kv, commit, { about, id }, change, clock());
        await add(commit, {
          ...{ id, about, reason, recipient: recipient!, ...labels, what, isReported: true },
          ...reply !== null && { reply },
        });
        return { result: true, commit };
      }),
    /** Returns whether mails of a kind no longer go to an address. Without the store, nothing is known of it. */
    async stops(to: string, kind: MailKind | undefined): Promise<boolean> {
      try {
        const known = await apart(
          "No commit depends on which mails are sent.",
          async () => readAddress(kv, await fingerprintsOf(secrets, to), clock()),
        );
        return known.some(({ value }) => isStopped(value, kind, clock()));
      } catch {
        return false;
      }
    },
  };
}
