/**
 * The built-in template: a certificate as a PDF, made from fields.
 *
 * @module
 */
import { fail, type Failure } from "../../../base/result.ts";
import { createThread } from "../../../platform/thread.ts";
import type { CertificateInput, CertificateResult, CheckInput } from "./make.ts";
import type { Job, Outcome } from "./worker.ts";

export {
  CERTIFICATE_LIMITS,
  type CertificateFields,
  type CertificateIssuer,
  PAPERS,
} from "./fields.ts";
export type { CertificateInput } from "./make.ts";

/** Makes certificates from fields, and checks fields without making any. */
export interface Certificates {
  /**
   * Returns what is wrong with the fields of each certificate, by field; nothing if it can be made. It takes
   * a fraction of the time that making one takes. Fails with `unavailable` if the machine is too busy.
   */
  check(
    all: readonly CheckInput[],
  ): Promise<{ ok: true; issues: Record<string, string>[] } | Failure>;
  /**
   * Makes a certificate: one page, with tags for screen readers. Equal input gives equal bytes. Fails
   * with the issues of `check`, or with one for `logo` if it cannot be read.
   */
  make(input: CertificateInput): Promise<CertificateResult>;
  /** Ends the thread in which they are made. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A certificate takes 3 ms, and a large logo a second. */
const LIMITS = { timeoutMs: 15_000, heapMb: 128 };

/** The most certificates of one job. */
const MAX_CHECKED = 500;

const BUSY = { retryAfterSeconds: 30 };

/**
 * Creates the maker of certificates.
 *
 * @example
 * ```ts
 * const made = await certificates.make({ fields: { name, title, date }, issuer, logo, at });
 * if (made.ok) await documents.add(about, made.bytes);
 * ```
 */
export function createCertificates(limits = LIMITS): Certificates {
  const script = new URL("./worker.ts", import.meta.url);
  const thread = createThread<Job, Outcome>(script, limits);
  return {
    async check(all) {
      const issues: Record<string, string>[] = [];
      for (let i = 0; i < all.length; i += MAX_CHECKED) {
        const outcome = await thread.run({ check: all.slice(i, i + MAX_CHECKED) });
        if (!outcome.ok) return fail("unavailable", BUSY);
        issues.push(...outcome.result as Record<string, string>[]);
      }
      return { ok: true, issues };
    },
    async make(input) {
      const outcome = await thread.run({ make: input });
      if (outcome.ok) return outcome.result as CertificateResult;
      if (outcome.exceeded === "time") return fail("unavailable", BUSY);
      // The texts have limits, so only the logo can take this much.
      return fail("invalid_request", { issues: { logo: "The logo is too complex." } });
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
