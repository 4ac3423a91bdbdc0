/** A local HTTPS server that plays a stranger's, for tests of `pinned_fetch.ts`. */
import { connect } from "node:tls";
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from "../../../testing/certificate.ts";
import type { Network } from "../pinned_fetch.ts";

/** An address that is globally routable; nothing connects to it. */
export const PUBLIC_ADDRESS = "93.184.215.14";

/** A stand-in for a stranger's https server, `https://localhost/`. */
export interface HttpsServer extends AsyncDisposable {
  /** Resolves every name to {@link PUBLIC_ADDRESS}, and connects to the stand-in instead. */
  network: Network & { addresses: string[]; connected: string[] };
  /** Ends the fetch that is running. */
  timeOut(): void;
}

export function openHttpsServer(
  respond: (req: Request) => Response | Promise<Response>,
): HttpsServer {
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
    onListen: () => {},
  }, respond);
  let deadline = new AbortController();
  const connected: string[] = [];
  return {
    timeOut: () => deadline.abort(new Error("timed out")),
    network: {
      addresses: [PUBLIC_ADDRESS],
      connected,
      resolve() {
        return Promise.resolve(this.addresses);
      },
      connect(address, servername) {
        connected.push(address);
        const { hostname: host, port } = server.addr;
        return connect({ host, port, servername, ca: AUTHORITY });
      },
      deadline() {
        deadline = new AbortController();
        return deadline.signal;
      },
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
