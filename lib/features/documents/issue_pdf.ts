import { fail, type Failure } from "../../base/result.ts";
import { createThread } from "../../platform/thread.ts";
import type { IssueDetails } from "./new_version.ts";
import { MAX_PAGES, type PdfProblem, PROBLEMS } from "./pdf/problem.ts";
import type { Job, Outcome } from "./pdf/job.ts";

const MIB = 1024 * 1024;

/** The largest PDF that is issued. */
const MAX_INPUT = 10 * MIB;

/** The largest copy. Documents have no larger files. */
const MAX_OUTPUT = 16 * MIB;

/** 500 pages take two seconds on an idle machine. */
const LIMITS = { timeoutMs: 20_000, heapMb: 192 };

/** An issued copy; a signed PDF is issued unchanged. */
export type IssueResult =
  | { ok: true; unchanged?: undefined; bytes: Uint8Array; pages: number }
  | { ok: true; unchanged: true; pages: number }
  | Failure<PdfProblem>;

/**
 * Makes the issued copy of a PDF: its pages, each made smaller for a footer with the page's QR code,
 * and a final page about the hash. Equal input gives equal bytes. `pages` are those of the original.
 *
 * @param run makes the copy; by default in a thread of its own, which takes longer to start than to
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
  { address, ...details }: IssueDetails,
  run: (job: Job) => Promise<Outcome> = runAlone,
): Promise<IssueResult> {
  if (original.length > MAX_INPUT) return problem("too_large");
  const addresses = Array.from({ length: MAX_PAGES }, (_, i) => address(i + 1));
  // Sending 10 MiB of other memory to a thread would block the site for seconds.
  const shared = new SharedArrayBuffer(original.length);
  new Uint8Array(shared).set(original);
  const outcome = await run({ original: shared, details, addresses });
  if (!outcome.ok) return fail(outcome.problem, { message: outcome.message });
  const { stamped } = outcome;
  if (!stamped.unchanged && stamped.bytes.length > MAX_OUTPUT) return problem("too_large");
  return { ok: true, ...stamped };
}

const problem = (code: PdfProblem) => fail(code, { message: PROBLEMS[code] });

/** A thread that makes issued copies. */
export interface IssuingThread {
  run(job: Job): Promise<Outcome>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates a thread with limited time and memory, so that no file slows the site down. */
export function issuingThread(limits = LIMITS): IssuingThread {
  const thread = createThread<Job, Outcome>(new URL("./pdf/worker.ts", import.meta.url), limits);
  return {
    run: async (job) => {
      const outcome = await thread.run(job);
      return outcome.ok ? outcome.result : { ok: false, problem: "too_complex" };
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

async function runAlone(job: Job): Promise<Outcome> {
  await using thread = issuingThread();
  return await thread.run(job);
}
