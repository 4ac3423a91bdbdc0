/** The work on single rows of a batch: issuing the document, mailing the recipient, and undoing it. */
import { mailboxOf } from "../../../base/email.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { apart, inUnit, transact } from "../../../platform/kv/mod.ts";
import type { Mailer } from "../../../platform/mail/mod.ts";
import {
  byBatch,
  currentVersion,
  type DocumentRow,
  documentRows,
  endOf,
  isKey,
} from "../../documents/mod.ts";
import type { IssuerRow, Issuers } from "../../issuers/mod.ts";
import type { IssueDraft } from "../issue.ts";
import type { Issuing } from "../mod.ts";
import { recipients } from "../recipients.ts";
import type { BatchDocument } from "./columns.ts";
import { type BatchLine, batchLines, type BatchRow, type RowState } from "./rows.ts";

export interface StepOptions {
  kv: Deno.Kv;
  clock: () => number;
  log: (entry: Record<string, unknown>) => void;
  mailer: Mailer;
  issuing: Pick<Issuing, "draft" | "write" | "deliver">;
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
  const { kv, clock, log, issuing, issuers, isRevoked } = options;

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
    const caller = { issuer, test: batch.test, by: byOf(batch) };
    const drafted = await issuing.draft(
      caller,
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
    );
    const issued = drafted.ok ? await issueDraft(batch, line, drafted.draft) : drafted;
    if (!issued.ok && !PASSING.has(issued.error)) await failed(line, issued);
  }

  async function issueDraft(
    batch: BatchRow,
    line: BatchLine,
    drafted: IssueDraft,
  ): Promise<{ ok: true } | Failure> {
    await using draft = drafted;
    return await inUnit(options, async (unit) => {
      const [entry, revoked] = await Promise.all([
        batchLines.get(kv, line.batch, line.n),
        isRevoked(batch, unit.commit),
      ]);
      // Another process has issued it, or the batch was undone or its key revoked.
      if (entry.value?.state !== "waiting" || revoked) return fail("conflict");
      const issued = await issuing.write.issue(unit, draft, "later");
      if (!issued.ok) return issued;
      const document = issued.document.id;
      const row: BatchLine = { ...entry.value, state: "issued", values: null, document };
      batchLines.replace(unit.commit, entry, row, unit.now);
      return issued;
    });
  }

  /** Queues the mail about a document, one for each recipient of a batch: it leads to all their documents. */
  async function send(batch: BatchRow, line: BatchLine): Promise<void> {
    await inUnit(options, async (unit) => {
      const entry = await batchLines.get(kv, line.batch, line.n);
      if (entry.value?.state !== "issued") return {};
      const id = entry.value.document!;
      const { organisation, issuer } = batch;
      const refused = await issuers.addCheck(unit.commit, { organisation, id: issuer });
      if (refused || await isRevoked(batch, unit.commit)) return fail("conflict");
      batchLines.replace(unit.commit, entry, { ...entry.value, state: "sent" }, unit.now);
      const document = await apart(
        "A delivery has commits of its own, and the page that the email leads to reads the document again.",
        () => issuing.deliver(id),
      );
      const isDue = document !== null && currentVersion(document) !== null &&
        !await isMailed(unit.commit, batch, document);
      if (isDue) await issuing.write.mail(unit, document, { batch: batch.id, n: line.n });
      return {};
    });
  }

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
    await inUnit(options, async (unit) => {
      // Asked first: what the unit has by then is stored with the rest.
      const entry = await batchLines.get(kv, line.batch, line.n);
      if (entry.value?.state !== "issued") return {};
      const outcome = await issuing.write.unissue(unit, value.document!);
      if (outcome === null) return {};
      const changed = outcome === "kept" ? { state: "kept" } as const : removed;
      batchLines.replace(unit.commit, entry, { ...entry.value, ...changed }, unit.now);
      return {};
    });
    await change(line, "issued", removed); // if the document was removed before
  }

  return { byRecipient, issue, send, undo };
}
