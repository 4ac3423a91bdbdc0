import { Worker } from "node:worker_threads";
import { dateLocale } from "../../base/time.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { IssueDetails } from "./new_version.ts";
import { MAX_PAGES, type PdfProblem, PROBLEMS } from "./pdf/problem.ts";
import type { Job, Outcome } from "./pdf/job.ts";

const MIB = 1024 * 1024;

/** The largest PDF that is issued. */
const MAX_INPUT = 10 * MIB;

/** The largest copy. Documents have no larger files. */
const MAX_OUTPUT = 16 * MIB;

interface IssueLimits {
  /** 500 pages take two seconds on an idle machine. */
  timeoutMs: number;
  /** The memory for JavaScript objects. Buffers have their own limit. */
  heapMb: number;
}

const LIMITS: IssueLimits = { timeoutMs: 20_000, heapMb: 192 };

/** An issued copy; a signed PDF is issued unchanged. */
export type IssueResult =
  | { ok: true; unchanged?: undefined; bytes: Uint8Array; pages: number }
  | { ok: true; unchanged: true; pages: number }
  | Failure<PdfProblem>;

/**
 * Makes the issued copy of a PDF: its pages, each made smaller for a footer with the page's QR code,
 * and a final page about the hash. Equal input gives equal bytes. `pages` are those of the original.
 *
 * It runs in a thread with a limited time and memory, so that neither a large nor a hostile file slows
 * the site down.
 *
 * @example
 * ```ts
 * const issued = await issuePdf(bytes, details);
 * if (issued.ok && !issued.unchanged) store(issued.bytes);
 * ```
 */
export async function issuePdf(
  original: Uint8Array,
  { address, ...details }: IssueDetails,
  limits: IssueLimits = LIMITS,
  run: (job: Job, limits: IssueLimits) => Promise<Outcome> = inThread,
): Promise<IssueResult> {
  if (original.length > MAX_INPUT) return problem("too_large");
  const addresses = Array.from({ length: MAX_PAGES }, (_, i) => address(i + 1));
  // Sending 10 MiB of other memory to a thread would block the site for seconds.
  const shared = new SharedArrayBuffer(original.length);
  new Uint8Array(shared).set(original);
  const outcome = await run({ original: shared, details, addresses }, limits);
  if (!outcome.ok) return problem(outcome.problem);
  const { stamped } = outcome;
  if (!stamped.unchanged && stamped.bytes.length > MAX_OUTPUT) return problem("too_large");
  return { ok: true, ...stamped };
}

const problem = (code: PdfProblem) => fail(code, { message: PROBLEMS[code] });

function inThread(job: Job, { timeoutMs, heapMb }: IssueLimits): Promise<Outcome> {
  const worker = new Worker(new URL("./pdf/worker.ts", import.meta.url), {
    workerData: { ...job, dateLocale: dateLocale() },
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => resolve({ ok: false, problem: "too_complex" }), timeoutMs);
  worker.on("message", resolve);
  worker.on("error", (error: Error & { code?: string }) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve({ ok: false, problem: "too_complex" });
    else reject(error);
  });
  // It ends without an outcome only if the memory ran out after its first asynchronous step.
  worker.on("exit", () => resolve({ ok: false, problem: "too_complex" }));
  return promise.finally(async () => {
    clearTimeout(timer);
    await worker.terminate();
  });
}
