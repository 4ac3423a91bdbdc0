import { parentPort, workerData } from "node:worker_threads";
import { setDateLocale } from "../../../base/time.ts";
import { runJob } from "./job.ts";

setDateLocale(workerData.dateLocale);
// Not awaited, because the thread would never end if the memory runs out during a top-level await.
runJob(workerData).then((outcome) => {
  // Keeps the thread alive until it is stopped, so that the outcome always arrives before its end.
  parentPort!.on("message", () => {});
  parentPort!.postMessage(outcome);
}).catch(reportError);
