/**
 * The work that follows from a recipient's state, which a job finishes.
 *
 * @module
 */
import { forgetDeliveries, type Job } from "../../platform/jobs/mod.ts";
import { isoAfter, transact } from "../../platform/kv/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { contacts } from "../contact/mod.ts";
import type { Documents } from "../documents/mod.ts";
import {
  aboutRecipient,
  changeRecipient,
  dueRecipients,
  ERASED,
  type Recipient,
  recipients,
  REFUSAL_MS,
  WAITING_MS,
} from "./recipients.ts";

/**
 * Does what is due for a recipient: the documents of one who has accepted get into the record, the files of
 * one who has not are erased. It can be interrupted anywhere, and continues when it runs again.
 */
export type FinishRecipient = (id: string) => Promise<void>;

export interface FinishRecipientOptions {
  kv: Deno.Kv;
  clock: () => number;
  documents: Pick<Documents, "ofRecipient" | "attach" | "eraseFiles" | "remove">;
  /** Erases the saved responses that name a recipient. */
  forgetResponses: (recipient: string) => Promise<void>;
}

export function createFinishRecipient(
  { kv, clock, documents, forgetResponses }: FinishRecipientOptions,
): FinishRecipient {
  const change = (id: string, before: Recipient, changes: Partial<Recipient>) =>
    transact(async () => {
      const entry = await recipients.get(kv, id);
      const { value } = entry;
      // Somebody else has done it, or something has happened to the recipient meanwhile.
      if (value?.state !== before.state || value.due_at !== before.due_at) {
        return { result: undefined };
      }
      const commit = kv.atomic();
      changeRecipient(commit, entry, changes);
      return { result: undefined, commit };
    });

  async function forEach(id: string, step: (document: string) => Promise<void>): Promise<void> {
    for (const document of await documents.ofRecipient(id)) await step(document.id);
  }

  /** Ends the wait of a recipient. */
  async function end(recipient: Recipient): Promise<void> {
    const { id, test, record } = recipient;
    const now = clock();
    if (test) {
      await forEach(id, (document) => documents.remove(document));
      return await removeRow(id);
    }
    if (record === null) {
      const state_at = recipient.due_at!;
      const due_at = new Date(now).toISOString();
      await change(id, recipient, { ...ERASED, state: "lapsed", state_at, due_at });
    } else {
      // The person has begun to accept. Without a confirmation, they can do so for as long again.
      const confirmed = Boolean((await contacts.get(kv, record)).value?.confirmed_at);
      const at = new Date(now).toISOString();
      await change(
        id,
        recipient,
        confirmed
          ? { state: "accepted", state_at: at, due_at: at }
          : { due_at: isoAfter(now, WAITING_MS) },
      );
    }
    await finishRecipient(id);
  }

  const removeRow = (id: string) =>
    transact(async () => {
      const entry = await recipients.get(kv, id);
      if (entry.value === null) return { result: undefined };
      const commit = kv.atomic().check(entry);
      recipients.delete(commit, entry.value);
      return { result: undefined, commit };
    });

  async function finishRecipient(id: string): Promise<void> {
    const { value: recipient } = await recipients.get(kv, id);
    const now = clock();
    if (recipient === null || recipient.due_at === null) return;
    if (now < Date.parse(recipient.due_at)) return;
    const { state, record } = recipient;
    if (recipient.test || state === "waiting") return await end(recipient);
    if (state === "accepted") {
      await forgetDeliveries(kv, aboutRecipient(id)); // other offers have nothing left to accept
      await forEach(id, (document) => documents.attach(document, record!));
      return await change(id, recipient, { due_at: null });
    }
    await forgetDeliveries(kv, aboutRecipient(id));
    await forgetResponses(id);
    await forEach(id, (document) => documents.eraseFiles(document, `document.${state}`));
    const free = Date.parse(recipient.state_at) + REFUSAL_MS;
    await change(
      id,
      recipient,
      state === "refused" && now < free
        ? { due_at: new Date(free).toISOString() }
        : { mac: null, mailbox: null, due_at: null },
    );
  }
  return finishRecipient;
}

/** Returns the job that forgets recipients who do not accept, and finishes what was interrupted. */
export const recipientsJob = (
  { kv, clock, finishRecipient }: {
    kv: Deno.Kv;
    clock: () => number;
    finishRecipient: FinishRecipient;
  },
): Job => ({
  name: "recipients",
  title: "Recipients of issued documents",
  everyMs: HOUR_MS,
  maxMs: 5 * MINUTE_MS,
  resumeMs: MINUTE_MS,
  async run({ signal }) {
    let settled = 0;
    for await (const id of dueRecipients(kv, clock())) {
      if (signal.aborted) break;
      await finishRecipient(id);
      settled++;
    }
    return `${settled} recipients`;
  },
});
