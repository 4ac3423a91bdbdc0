/** The hook behind the page `/check`: it hashes a file, looks the hash up, and records the check. */
import { useRef, useState } from "preact/hooks";
import type { CheckReport } from "../../lib/features/documents/checks/report.ts";
import type { Unrecorded } from "../../lib/features/documents/checks/check.ts";
import type { Visit } from "../../lib/features/records/keys/key_service.ts";
import { lookUp, prove } from "./check_client.ts";
import { findPrintedNumber, mayPrintNumber, type NumberTools } from "./printed_number.ts";
import { HashError, type HashFault, hashFile } from "./hash_file.ts";

/**
 * How the check of a match was recorded, or why it was not. `pending`: not known yet; null: it could not be
 * recorded.
 */
export type Trace = Visit | Unrecorded | "pending" | null;

/**
 * The document whose number a PDF without a match prints. `differs`: its hash may be confirmed to this
 * reader, so the file is certainly not it. `pending`: the pages are being read; null: there is none.
 */
export type Printed = { number: string; differs: boolean } | "pending" | null;

export type FileCheck =
  | { phase: "none" }
  | { phase: "hashing"; file: File; done: number }
  | { phase: "asking"; file: File }
  /** The trace is undefined if the file is one of our own pages, because nobody is its holder. */
  | {
    phase: "answered";
    file: File;
    report: CheckReport;
    trace: Trace | undefined;
    printed: Printed;
  }
  /** The file was not compared. With a hash, the publisher can be asked again. */
  | { phase: "failed"; file: File | null; sha256?: string; message: string };

const FAULTS: Record<HashFault, string> = {
  unreadable: "The file could not be read. It may have been moved or changed, or it may be a " +
    "folder. Choose it again.",
  no_worker:
    "This browser could not compute the hash. Compute it with one of the commands below, " +
    "and paste it.",
};

interface FileChecker {
  check: FileCheck;
  start(files: ArrayLike<File>): void;
  /** Asks again about the file that was already hashed, or hashes it again. */
  retry(): void;
  cancel(): void;
}

/** Checks one file at a time: starting a check cancels the previous one. */
export function useFileCheck(workerUrl: string, tools: NumberTools): FileChecker {
  const [check, setCheck] = useState<FileCheck>({ phase: "none" });
  const latest = useRef<AbortController>();

  /** Cancels the previous check. Returns what the next one needs. */
  function begin() {
    latest.current?.abort();
    const { signal } = latest.current = new AbortController();
    const set = (next: FileCheck) => {
      if (!signal.aborted) setCheck(next);
    };
    return { signal, set };
  }
  type Run = ReturnType<typeof begin>;

  async function hash(file: File, run: Run) {
    const { signal, set } = run;
    const onProgress = (done: number) => set({ phase: "hashing", file, done });
    onProgress(0);
    try {
      const sha256 = await hashFile(file, { workerUrl, onProgress, signal });
      await ask(file, sha256, run);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof HashError)) throw error;
      set({ phase: "failed", file, message: FAULTS[error.code] });
    }
  }

  async function ask(file: File, sha256: string, { signal, set }: Run) {
    set({ phase: "asking", file });
    const answer = await lookUp(sha256, signal);
    if (!answer.ok) return set({ phase: "failed", file, sha256, message: answer.message });
    const { report } = answer;
    const answered = (trace: Trace | undefined, printed: Printed = null) =>
      set({ phase: "answered", file, report, trace, printed });
    if (report.matches.length === 0 && await mayPrintNumber(file)) {
      answered(undefined, "pending");
      return answered(undefined, await findPrinted(file, sha256, signal));
    }
    const { nonce, unrecorded } = answer;
    if (nonce === null) return answered(unrecorded ?? undefined);
    answered("pending");
    answered(await prove(file, sha256, nonce, { workerUrl, signal }));
  }

  async function findPrinted(file: File, sha256: string, signal: AbortSignal): Promise<Printed> {
    const number = await findPrintedNumber(file, tools, signal);
    if (number === null) return null;
    const answer = await lookUp(sha256, signal, number);
    return { number, differs: answer.ok && answer.differs === true };
  }

  return {
    check,
    start(files) {
      const [file, ...more] = Array.from<File | undefined>(files);
      const run = begin();
      const refuse = (message: string) => run.set({ phase: "failed", file: null, message });
      if (file === undefined) refuse("This is not a file. Choose one from your device.");
      else if (more.length > 0) refuse("These are several files. Check one at a time.");
      else if (file.size === 0) refuse("The file is empty, so there is nothing to compare.");
      else hash(file, run).catch(reportError);
    },
    retry() {
      if (check.phase !== "failed" || check.file === null) return;
      if (check.sha256 === undefined) hash(check.file, begin()).catch(reportError);
      else ask(check.file, check.sha256, begin()).catch(reportError);
    },
    cancel() {
      begin().set({ phase: "none" });
    },
  };
}
