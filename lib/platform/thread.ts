/** Runs work on untrusted or large input in a worker, with limited time and memory. */
import { parentPort, Worker, workerData } from "node:worker_threads";
import { dateLocale, setDateLocale } from "../base/time.ts";

/** A thread ends after this time without work, because it takes tens of megabytes. */
const IDLE_MS = 15_000;

/** The time that a thread may take to load its modules, which is long only on a busy machine. */
const START_MS = 60_000;

/** The most jobs of a thread, so that nothing that a library keeps grows without bound. */
const MAX_JOBS = 1_000;

export interface ThreadLimits {
  /** The time that a job may take, without the start of its thread. */
  timeoutMs: number;
  /** The memory for JavaScript objects. Buffers have their own limit. */
  heapMb: number;
}

/** The outcome of a job, or what it took too much of. */
type ThreadOutcome<Result> =
  | { ok: true; result: Result }
  | { ok: false; exceeded: "time" | "memory" };

/** Runs jobs in a thread of its own, one after the other. */
export interface Thread<Job, Result> {
  run(job: Job): Promise<ThreadOutcome<Result>>;
  [Symbol.asyncDispose](): Promise<void>;
}

let create: <Job, Result>(script: URL, limits: ThreadLimits) => Thread<Job, Result> = startThread;

/**
 * Creates a thread with limited time and memory, so that neither much work nor a hostile file slows the site
 * down. It starts with the first job, which takes longer than most jobs, and is used for those that follow.
 *
 * @param script a module that calls `serveThread`
 */
export function createThread<Job, Result>(
  script: URL,
  limits: ThreadLimits,
): Thread<Job, Result> {
  return create(script, limits);
}

/** Replaces the function that creates threads while `run` runs. Tests share threads among their sites with it. */
export function withThreads<Value>(replacement: typeof create, run: () => Value): Value {
  create = replacement;
  try {
    return run();
  } finally {
    create = startThread;
  }
}

function startThread<Job, Result>(
  script: URL,
  { timeoutMs, heapMb }: ThreadLimits,
): Thread<Job, Result> {
  let worker: Worker | undefined;
  let jobs = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  function start(): Worker {
    jobs = 0;
    const started = new Worker(script, {
      workerData: { dateLocale: dateLocale() },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // An error without a listener, such as a second one, would end the process.
    started.on("error", () => {});
    started.on("exit", () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function runOnce(job: Job): Promise<ThreadOutcome<Result>> {
    clearTimeout(idle);
    const isStarted = worker !== undefined;
    const current = worker ??= start();
    jobs++;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadOutcome<Result>>();
    const outOfMemory = () => resolve({ ok: false, exceeded: "memory" });
    const tooLong = () => resolve({ ok: false, exceeded: "time" });
    let timer = setTimeout(tooLong, START_MS);
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(tooLong, timeoutMs);
      current.postMessage(job);
    };
    const listeners = {
      message: (message: Message<Result>) =>
        "result" in message ? resolve({ ok: true, result: message.result }) : begin(),
      error: (error: Error & { code?: string }) =>
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outOfMemory() : reject(error),
      // It ends without an outcome only if the memory ran out after its first asynchronous step.
      exit: outOfMemory,
    };
    for (const [event, listener] of Object.entries(listeners)) current.on(event, listener);
    current.ref();
    let done = false;
    try {
      if (isStarted) begin();
      const outcome = await promise;
      done = outcome.ok && jobs < MAX_JOBS;
      return outcome;
    } finally {
      clearTimeout(timer);
      for (const [event, listener] of Object.entries(listeners)) current.off(event, listener);
      if (done) {
        current.unref();
        idle = setTimeout(() => end().catch(reportError), IDLE_MS);
        Deno.unrefTimer(idle);
      } else await end();
    }
  }

  async function run(job: Job): Promise<ThreadOutcome<Result>> {
    const used = worker !== undefined;
    const outcome = await runOnce(job);
    // Memory that earlier jobs left behind must not make this one fail.
    const again = !outcome.ok && outcome.exceeded === "memory" && used && !closed;
    return again ? await runOnce(job) : outcome;
  }

  return {
    run(job) {
      const current = last.then(() => run(job), () => run(job));
      last = current;
      return current;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await end();
    },
  };
}

/** A thread says once that it has loaded its modules, and then sends the result of each job. */
type Message<Result> = { started: true } | { result: Result };

/**
 * Makes the module that calls this run the jobs of a thread. Jobs do not run at the same time.
 *
 * @param loading the function that runs a job. Awaiting it first would end the thread, which has no listener then
 */
export function serveThread<Job, Result>(
  loading: Promise<(job: Job) => Result | Promise<Result>>,
): void {
  setDateLocale(workerData.dateLocale);
  const send = (message: Message<Result>) => parentPort!.postMessage(message);
  // The listener keeps the thread alive, so that each outcome arrives before its end. During a job there is
  // none, so that the thread ends if the memory runs out.
  const listen = () =>
    parentPort!.once("message", (job: Job) => {
      loading.then((run) => run(job)).then((result) => {
        listen();
        send({ result });
      }).catch(reportError);
    });
  listen();
  loading.then(() => send({ started: true })).catch(reportError);
}
