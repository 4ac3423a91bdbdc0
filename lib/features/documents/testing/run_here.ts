import { WideFonts } from "../../../../packages/pdf/mod.ts";
import { type Job, type Outcome, runJob } from "../pdf/job.ts";

/** The fonts of all copies of a test file. Opening them takes longer than making a small copy. */
export const fonts = new WideFonts();

/** Makes and checks a copy in this thread. */
export const runHere = (job: Job): Promise<Outcome> => runJob(job, fonts);
