/** The load generator of the benchmarks, which measures a server's rate and response times. */
import { type BenchRequest, Client, requestBytes } from "./client.ts";

export interface LoadOptions {
  /** Connections that send at the same time. Default: 32. */
  connections?: number;
  /** The duration after a warm-up of a fifth of it. Default: 0.5. */
  seconds?: number;
}

interface LoadResult {
  /** Requests per second. */
  rate: number;
  /** The median response time in milliseconds. */
  p50: number;
  /** The number of requests, including the warm-up. */
  sent: number;
}

/**
 * Generates load on a server of loopback, with the requests in turn: each connection sends its next request after the response.
 * It runs in this process, which should have another core than the server.
 *
 * @throws {Error} if a response does not have the status of its request
 */
export async function load(
  port: number,
  requests: readonly BenchRequest[],
  { connections = 32, seconds = 0.5 }: LoadOptions = {},
): Promise<LoadResult> {
  const sending = requests.map((request) => [requestBytes(request), request.status] as const);
  const warm = performance.now() + seconds * 200;
  const end = warm + seconds * 1_000;
  const times: number[] = [];
  let sent = 0;

  async function sendRepeatedly() {
    using client = await Client.connect(port);
    for (let now = performance.now(); now < end;) {
      const start = now;
      await client.send(...sending[sent++ % sending.length]);
      now = performance.now();
      if (start >= warm && now <= end) times.push(now - start);
    }
  }

  await Promise.all(Array.from({ length: connections }, sendRepeatedly));
  times.sort((a, b) => a - b);
  return { rate: times.length / seconds, p50: times[times.length >> 1], sent };
}
