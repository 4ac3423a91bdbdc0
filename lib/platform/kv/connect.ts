/** Opens a store on a KV Connect server, with a clear error if that is impossible. */
import { inTime } from "../../base/in_time.ts";

/** Thrown if a KV Connect server cannot be used. The message is one line without secrets. */
export class KvConnectError extends Error {
  override name = "KvConnectError";
}

const WITHOUT_HTTP2 =
  "it does not speak HTTP/2, which Deno's client needs. For a proxy, see docs/ops/denokv.md";

/** Long enough for a slow network, and short enough for someone who waits for the site to start. */
const TIMEOUT_MS = 10_000;

/**
 * Connects to a KV Connect server and reads from it once, because Deno itself would retry reads and wait
 * for a silent server forever.
 *
 * @param url its `http` or `https` URL
 * @throws {KvConnectError} if the server cannot be reached or does not respond as a KV Connect server
 */
export async function connectKv(url: string, timeoutMs: number = TIMEOUT_MS): Promise<Deno.Kv> {
  const opened = Deno.openKv(url);
  const read = opened.then(async (kv) => {
    await kv.get(["connect"]);
    return kv;
  });
  let reason = `no response within ${timeoutMs / 1000} s`;
  try {
    const kv = await inTime(read, timeoutMs);
    if (kv !== undefined) return kv;
  } catch (error) {
    reason = reasonOf(error);
  }
  read.catch(() => {});
  opened.then((kv) => kv.close(), () => {});
  throw new KvConnectError(describe(url, reason));
}

/** Omits the parts of a URL that could be secret. */
function describe(url: string, reason: string): string {
  const { origin, pathname } = new URL(url);
  return `no KV Connect server at ${origin}${pathname}: ${reason}`;
}

/** Returns the reason without the body of the response, which is long and could repeat the token. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, status] = /status[ =](\d{3}[ \w]*)/.exec(message) ?? [];
  if (status === undefined) {
    if (/NoApplicationProtocol|http2 error/.test(message)) return WITHOUT_HTTP2;
    if (message.includes("failed to connect")) return "connection failed";
    if (message.includes("DENO_KV_ACCESS_TOKEN")) return "DENO_KV_ACCESS_TOKEN is not set";
    return "unexpected response";
  }
  return /^40[13]/.test(status)
    ? `status ${status}, check DENO_KV_ACCESS_TOKEN`
    : `status ${status}`;
}
