import { WideFonts } from "../../../platform/pdf/wide/embed.ts";
import { serveThread } from "../../../platform/thread.ts";
import { type Job, runJob } from "./job.ts";

const fonts = new WideFonts();
serveThread((job: Job) => runJob(job, fonts));
