import { serveThread } from "../thread.ts";

/** The jobs that `thread_test.ts` sends. */
export type TestJob = "count" | "fail" | "fill the memory" | "fill the memory of a used thread";

let jobs = 0;

serveThread(async (job: TestJob) => {
  jobs++;
  await Promise.resolve();
  if (job === "fail") throw new Error("It failed.");
  const list: unknown[] = [];
  const fills = job === "fill the memory" || job === "fill the memory of a used thread" && jobs > 1;
  while (fills) list.push([list.length]);
  return jobs;
});
