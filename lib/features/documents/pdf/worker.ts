import { serveThread } from "../../../platform/thread.ts";
import type { Job } from "./job.ts";

// Not awaited here: a thread without a listener would end, or miss its first job.
const loaded = Promise.all([import("./job.ts"), import("../../../../packages/pdf/mod.ts")]);
const run = loaded.then(([{ runJob }, { WideFonts }]) => {
  const fonts = new WideFonts();
  return (job: Job) => runJob(job, fonts);
});
serveThread(async (job: Job) => await (await run)(job));
