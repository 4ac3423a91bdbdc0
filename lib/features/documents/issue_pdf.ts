/**
 * The issued copy of a PDF, made in a thread with limited time and memory.
 *
 * @module
 */
import { fail, type Failure } from "../../base/result.ts";
import { createThread } from "../../platform/thread.ts";
import type { IssueDetails } from "./new_version.ts";
import { type PdfProblem, PROBLEMS } from "../../../packages/pdf/light.ts";
import type { Checked, Job, Outcome } from "./pdf/job.ts";

const MIB = 1024 * 1024;

/** The largest PDF that is issued. */
const MAX_INPUT = 10 * MIB;

/** The largest copy. Documents have no larger files. */
const MAX_OUTPUT = 16 * MIB;

/** 500 pages take a few seconds on an idle machine, with the check of their copy. */
const LIMITS = { timeoutMs: 30_000, heapMb: 256 };

/** When a PDF may be tried again that took too long. */
const RETRY_SECONDS = 30;

/**
 * An issued copy; a signed PDF is issued unchanged. `unavailable`: it took too long, which depends on what
 * else the machine does.
 */
export type IssueResult = ({ ok: true } & Checked) | Failure<PdfProblem | "unavailable">;

/**
 * Makes the issued copy of a PDF: its pages, each made smaller for a footer with the page's QR code,
 * and a final page about the hash. Equal input gives equal bytes. `pages` are those of the original.
 *
 * @param run makes the copy and checks it; by default in a thread of its own, which takes longer to start than to
 * issue most PDFs
 *
 * @example
 * ```ts
 * await using thread = issuingThread();
 * const issued = await issuePdf(bytes, details, thread.run);
 * if (issued.ok && !issued.unchanged) store(issued.bytes);
 * ```
 */
export async function issuePdf(
  original: Uint8Array,
  details: IssueDetails,
  run: IssuingThread["run"] = runAlone,
): Promise<IssueResult> {
  if (original.length > MAX_INPUT) return problem("too_large");
  // Sending 10 MiB of other memory to a thread would block the site for seconds.
  const shared = new SharedArrayBuffer(original.length);
  new Uint8Array(shared).set(original);
  const outcome = await run({ original: shared, details });
  if (outcome === null) return fail("unavailable", BUSY);
  if (!outcome.ok) return fail(outcome.problem, { message: outcome.message });
  const { stamped } = outcome;
  if (!stamped.unchanged && stamped.bytes.length > MAX_OUTPUT) return problem("too_large");
  return { ok: true, ...stamped };
}

const BUSY = {
  message:
    "Processing this PDF takes longer than usual, because the site is busy. Try again later.",
  retryAfterSeconds: RETRY_SECONDS,
};

const problem = (code: PdfProblem) => fail(code, { message: PROBLEMS[code] });

/** A thread that makes issued copies. */
export interface IssuingThread {
  /** Returns null if the job takes too long. */
  run(job: Job): Promise<Outcome | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates a thread with limited time and memory, so that no file slows the site down. */
export function issuingThread(limits = LIMITS): IssuingThread {
  const thread = createThread<Job, Outcome>(new URL("./pdf/worker.ts", import.meta.url), limits);
  return {
    run: async (job) => {
      const outcome = await thread.run(job);
      if (outcome.ok) return outcome.result;
      return outcome.exceeded === "time"
        ? null
        : { ok: false, problem: "too_complex", message: PROBLEMS.too_complex };
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

async function runAlone(job: Job): Promise<Outcome | null> {
  await using thread = issuingThread();
  return await thread.run(job);
}
