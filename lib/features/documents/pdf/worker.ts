import { serveThread } from "../../../platform/thread.ts";
import type { Job } from "./job.ts";

const modules = Promise.all([import("./job.ts"), import("../../../../packages/pdf/mod.ts")]);
const loading = modules.then(([{ runJob }, { WideFonts }]) => {
  const fonts = new WideFonts();
  return (job: Job) => runJob(job, fonts);
});
serveThread(loading);
