import { serveThread } from "../../../platform/thread.ts";
import { runJob } from "./job.ts";

serveThread(runJob);
