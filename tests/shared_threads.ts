/** Lets all sites of a test process share the threads of their services. */
import { dateLocale } from "../lib/base/time.ts";
import { createThread, type Thread, withThreads } from "../lib/platform/thread.ts";

// deno-lint-ignore no-explicit-any -- the jobs of any script
const threads = new Map<string, Thread<any, any>>();

/**
 * Returns what `create` returns. The threads that it creates are shared, because most tests with a thread do less
 * in it than its start takes. They end when they are idle, as always, and not with their sites.
 */
export const sharingThreads = <Value>(create: () => Value): Value =>
  withThreads((script, limits) => ({
    run(job) {
      const key = JSON.stringify([script, limits, dateLocale()]);
      if (!threads.has(key)) threads.set(key, createThread(script, limits));
      return threads.get(key)!.run(job);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }), create);
