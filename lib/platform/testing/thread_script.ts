import { serveThread } from "../thread.ts";

/** The jobs that `thread_test.ts` sends. */
export type TestJob =
  | "count"
  | "wait for ever"
  | "fail"
  | "fill the memory"
  | "fill the memory of a used thread";

let jobs = 0;

/** The URL says how long the start takes. */
const startMs = Number(new URL(import.meta.url).searchParams.get("start_ms"));

serveThread(new Promise<typeof run>((resolve) => setTimeout(() => resolve(run), startMs)));

async function run(job: TestJob): Promise<number> {
  jobs++;
  await Promise.resolve();
  if (job === "wait for ever") await new Promise(() => setInterval(() => {}, 1_000));
  if (job === "fail") throw new Error("It failed.");
  const list: unknown[] = [];
  const fills = job === "fill the memory" || job === "fill the memory of a used thread" && jobs > 1;
  while (fills) list.push([list.length]);
  return jobs;
}
