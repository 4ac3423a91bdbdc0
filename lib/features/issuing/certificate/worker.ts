import { serveThread } from "../../../platform/thread.ts";
import type { CertificateInput, CertificateResult, CheckInput } from "./make.ts";

export type Job = { check: readonly CheckInput[] } | { make: CertificateInput };
export type Outcome = Record<string, string>[] | CertificateResult;

const loading = import("./make.ts").then(({ createMaker }) => {
  const maker = createMaker();
  return (job: Job): Outcome | Promise<Outcome> =>
    "check" in job ? maker.check(job.check) : maker.make(job.make);
});
serveThread(loading);
