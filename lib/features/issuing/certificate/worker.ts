import { serveThread } from "../../../platform/thread.ts";
import type { CertificateInput, CertificateResult, CheckInput } from "./make.ts";

export type Job = { check: readonly CheckInput[] } | { make: CertificateInput };
export type Outcome = Record<string, string>[] | CertificateResult;

// Not awaited here: a thread without a listener would end, or miss its first job.
const maker = import("./make.ts").then(({ createMaker }) => createMaker());
serveThread(async (job: Job): Promise<Outcome> =>
  "check" in job ? (await maker).check(job.check) : await (await maker).make(job.make)
);
