import { mailboxOf } from "../../../base/email.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { apart, transact } from "../../../platform/kv/mod.ts";
import { type Mailer, transactAndMail } from "../../../platform/mail/mod.ts";
import {
  byBatch,
  currentVersion,
  type DocumentRow,
  documentRows,
  endOf,
  isKey,
} from "../../documents/mod.ts";
import type { IssuerRow, Issuers } from "../../issuers/mod.ts";
import type { Issuing } from "../mod.ts";
import { recipients } from "../recipients.ts";
import type { BatchDocument } from "./columns.ts";
import { type BatchLine, batchLines, type BatchRow, type RowState } from "./rows.ts";

export interface StepOptions {
  kv: Deno.Kv;
  clock: () => number;
  log: (entry: Record<string, unknown>) => void;
  mailer: Mailer;
  issuing: Pick<Issuing, "issue" | "unissue" | "deliver" | "addMail">;
  issuers: Pick<Issuers, "addCheck">;
  /**
   * Returns whether the key with which a batch was sent has been revoked.
   *
   * @param commit fails if that changes meanwhile
   */
  isRevoked(batch: BatchRow, commit?: Deno.AtomicOperation): Promise<boolean>;
  /** Makes the file of a document. */
  make(issuer: IssuerRow, document: BatchDocument, test: boolean): Promise<
    { ok: true; bytes: Uint8Array<ArrayBuffer> } | Failure
  >;
}

/** Failures that say nothing about the row: it is tried again. */
const PASSING = new Set(["unavailable", "conflict", "rate_limited", "issuer_suspended"]);

/** Returns who made the documents of a batch: a key, or for an administrator the batch. */
const byOf = ({ id, by }: BatchRow): string => isKey(by) ? by : byBatch(id);

/**
 * Creates the steps of a row. Each is one commit, which also changes the state of the row, so it happens once,
 * wherever the process dies, and even if two processes try it.
 */
export function createSteps(options: StepOptions) {
  const { kv, clock, log, mailer, issuing, issuers, isRevoked } = options;

  /** Groups rows by their recipients: all rows of one change the same row of the store, one after another. */
  async function byRecipient(lines: readonly BatchLine[]): Promise<Iterable<BatchLine[]>> {
    const ids = lines.flatMap(({ document }): [string][] => document === null ? [] : [[document]]);
    const issued = await documentRows.getMany(kv, ids);
    const recipientOf = new Map(issued.map(({ value: { id, recipient } }) => [id, recipient]));
    return Map.groupBy(
      lines,
      ({ n, values, document }) =>
        values !== null ? mailboxOf(values.email) : recipientOf.get(document ?? "") ?? n,
    ).values();
  }

  /** Changes a row that is still in a state. */
  const change = (
    { batch, n }: BatchLine,
    from: RowState,
    changes: Partial<BatchLine>,
  ) =>
    transact(async () => {
      const entry = await batchLines.get(kv, batch, n);
      if (entry.value?.state !== from) return { result: undefined };
      const commit = kv.atomic();
      batchLines.replace(commit, entry, { ...entry.value, ...changes }, clock());
      return { result: undefined, commit };
    });

  const failed = (line: BatchLine, { error, message }: Failure) =>
    change(line, "waiting", {
      state: "failed",
      values: null,
      problem: { error, message: message ?? "The document could not be issued." },
    });

  async function make(issuer: IssuerRow, values: BatchDocument, test: boolean) {
    try {
      const made = await options.make(issuer, values, test);
      if (made.ok) return made;
      const [issue] = Object.values(made.issues ?? {});
      return fail(made.error, { message: issue ?? made.message });
    } catch (error) {
      // Otherwise, one row would stop the batch.
      log({ level: "error", event: "batch_document_failed", reason: String(error) });
      return fail("internal", { message: "Something went wrong on our side." });
    }
  }

  async function issue(batch: BatchRow, issuer: IssuerRow, line: BatchLine): Promise<void> {
    const { values } = line;
    if (line.state !== "waiting" || values === null) return;
    const made = await make(issuer, values, batch.test);
    if (!made.ok) return await failed(line, made);
    const { name, email, title, type, date, external_id, expires_on } = values;
    const issued = await issuing.issue(
      { issuer, test: batch.test, by: byOf(batch) },
      {
        recipient: { name, email },
        title,
        type,
        date,
        ...external_id !== undefined && { external_id },
        expires_at: endOf(expires_on),
        file_name: "certificate.pdf",
      },
      made.bytes,
      {
        mail: "later",
        async addToCommit(commit, document) {
          const [entry, revoked] = await Promise.all([
            batchLines.get(kv, line.batch, line.n),
            isRevoked(batch, commit),
          ]);
          // Another process has issued it, or the batch was undone or its key revoked.
          if (entry.value?.state !== "waiting" || revoked) return fail("conflict");
          const row: BatchLine = {
            ...entry.value,
            state: "issued",
            values: null,
            document: document.id,
          };
          batchLines.replace(commit, entry, row, clock());
        },
      },
    );
    if (!issued.ok && !PASSING.has(issued.error)) await failed(line, issued);
  }

  /** Queues the mail about a document, one for each recipient of a batch: it leads to all their documents. */
  const send = (batch: BatchRow, line: BatchLine): Promise<void> =>
    transactAndMail<void>(mailer, async () => {
      const entry = await batchLines.get(kv, line.batch, line.n);
      if (entry.value?.state !== "issued") return { result: undefined };
      const id = entry.value.document!;
      const now = clock();
      const commit = kv.atomic();
      const { organisation, issuer } = batch;
      if (await issuers.addCheck(commit, { organisation, id: issuer })) {
        return { result: undefined };
      }
      if (await isRevoked(batch, commit)) return { result: undefined };
      batchLines.replace(commit, entry, { ...entry.value, state: "sent" }, now);
      const document = await apart(
        "A delivery has commits of its own, and the page that the mail leads to reads the document again.",
        () => issuing.deliver(id),
      );
      const mails = document === null || currentVersion(document) === null ||
          await isMailed(commit, batch, document)
        ? []
        : await issuing.addMail(commit, document, now, { batch: batch.id, n: line.n });
      return { result: undefined, commit, mails };
    });

  /** Returns whether a batch has mailed a recipient. If that changes meanwhile, the commit fails. */
  async function isMailed(
    commit: Deno.AtomicOperation,
    { sending_at }: BatchRow,
    document: DocumentRow,
  ): Promise<boolean> {
    const entry = await recipients.get(kv, document.recipient ?? "");
    commit.check(entry);
    return entry.value?.mailed_at.some((at) => at >= sending_at!) ?? false;
  }

  async function undo(line: BatchLine): Promise<void> {
    const removed = { state: "removed", values: null } as const;
    await change(line, "waiting", removed);
    // It may have been issued just before.
    const { value } = await batchLines.get(kv, line.batch, line.n);
    if (value?.state !== "issued") return;
    await issuing.unissue(value.document!, async (commit, outcome) => {
      const entry = await batchLines.get(kv, line.batch, line.n);
      if (entry.value?.state !== "issued") return;
      const changed = outcome === "kept" ? { state: "kept" } as const : removed;
      batchLines.replace(commit, entry, { ...entry.value, ...changed }, clock());
    });
    await change(line, "issued", removed); // if the document was removed before
  }

  return { byRecipient, issue, send, undo };
}
