import { connect } from "node:tls";
import type { Network } from "../lib/features/oauth/mod.ts";
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from "../lib/testing/certificate.ts";

/** An address that is globally routable; nothing connects to it. */
export const PUBLIC_ADDRESS = "93.184.215.14";

/** A stand-in for the https origin of clients' documents, `https://localhost/`. */
interface DocumentServer extends AsyncDisposable {
  /** Resolves every name to {@link PUBLIC_ADDRESS}, and connects to the stand-in instead. */
  network: Network & { addresses: string[]; connected: string[] };
  /** Ends the fetch that is running. */
  timeOut(): void;
  paths: string[];
}

export function openDocumentServer(
  respond: (path: string) => Response | Promise<Response>,
): DocumentServer {
  const paths: string[] = [];
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
    onListen: () => {},
  }, ({ url }) => {
    const { pathname } = new URL(url);
    paths.push(pathname);
    return respond(pathname);
  });
  let deadline = new AbortController();
  const connected: string[] = [];
  return {
    paths,
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

/** Returns the document of a client at `https://localhost` and a path, with changes. */
export const documentAt = (path: string, changes: Record<string, unknown> = {}) => ({
  client_id: `https://localhost${path}`,
  client_name: "Documented app",
  redirect_uris: ["https://app.example/callback"],
  token_endpoint_auth_method: "none",
  ...changes,
});
