/** An HTTP server that survives failures to accept connections, and shuts down without cutting off clients. */
import { sleep } from "../../base/sleep.ts";
import { MINUTE_MS } from "../../base/time.ts";

interface ServeOptions {
  hostname: string;
  /** 0 for any free port. */
  port: number;
  /** Called once, and not after a restart. */
  onListen?: (address: Deno.NetAddr) => void;
  /** Writes one structured line. */
  log?: (entry: Record<string, unknown>) => void;
}

/** A server that recovers when accepting connections fails. */
export interface Server {
  addr: Deno.NetAddr;
  /**
   * Ends each connection with the response to its next request, so that busy clients find no
   * connection closed under a request. Resolves a moment after `ms`, in which they send that request.
   */
  endConnections(ms: number): Promise<void>;
  /**
   * Stops listening, closes idle and half-sent connections, and resolves when all in-flight responses
   * have been sent.
   */
  shutdown(): Promise<void>;
}

/** An error that was already logged, or is meant to happen. It ends the response without another log line. */
export class LoggedError extends Error {
  override name = "LoggedError";
}

/** The delay before listening again. It is short, because connections are refused until then. */
const RESTART_DELAY_MS = 100;
const LOG_INTERVAL_MS = MINUTE_MS;
/** A busy process notices late that a time is over, and then needs this to read the requests that have arrived. */
const READ_MS = 100;

/**
 * Serves HTTP like `Deno.serve`, which stops permanently when it cannot accept a connection, for
 * example when file descriptors run out. This server then closes idle and half-sent connections,
 * finishes in-flight requests, and listens on the same port again. The reason is logged at most once
 * a minute.
 *
 * @throws {Deno.errors.AddrInUse} if the port is taken
 */
export function serve(options: ServeOptions, handler: Deno.ServeHandler<Deno.NetAddr>): Server {
  const { hostname, log = (entry) => console.error(JSON.stringify(entry)) } = options;
  let ending = false;
  let stopped = false;
  let lastLogged = { reason: "", at: -Infinity };
  const closing = new Set<Promise<void>>();
  let current = listen(options.port, options.onListen);
  const { addr } = current;

  function listen(port: number, onListen: ServeOptions["onListen"] = () => {}) {
    const server = Deno.serve({ hostname, port, onListen, onError }, respond);
    server.finished.catch((error) => restart(server, error));
    return server;
  }

  function respond(req: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>) {
    return ending ? lastResponse(handler(req, info)) : handler(req, info);
  }

  function onError(error: unknown): Response {
    if (!(error instanceof LoggedError)) {
      const stack = error instanceof Error ? error.stack : String(error);
      log({ level: "error", event: "internal", stack });
    }
    return new Response(null, { status: 500 });
  }

  async function restart(failed: Deno.HttpServer, error: unknown) {
    close(failed);
    while (!stopped) {
      logFailure(error);
      await sleep(RESTART_DELAY_MS);
      if (stopped) return;
      try {
        current = listen(addr.port);
        return;
      } catch (cause) {
        error = cause;
      }
    }
  }

  function logFailure(error: unknown) {
    const reason = error instanceof Error ? error.message : String(error);
    const at = performance.now();
    if (reason === lastLogged.reason && at - lastLogged.at < LOG_INTERVAL_MS) return;
    lastLogged = { reason, at };
    log({ level: "error", event: "accept_failed", reason });
  }

  /** Closes idle and half-sent connections at once, the others after their current response. */
  function close(server: Deno.HttpServer) {
    const closed = server.shutdown().catch(() => {}).finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    addr,
    async endConnections(ms) {
      ending = true;
      await sleep(ms);
      await sleep(READ_MS);
    },
    async shutdown() {
      if (!stopped) close(current);
      stopped = true;
      await Promise.all(closing);
    },
  };
}

/** Returns a response after which the server closes the connection (RFC 9112, section 9.6). */
async function lastResponse(given: Response | Promise<Response>): Promise<Response> {
  const { body, status, statusText, headers } = await given;
  const response = new Response(body, { status, statusText, headers });
  response.headers.set("connection", "close");
  return response;
}
