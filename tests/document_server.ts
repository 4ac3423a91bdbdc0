import { type HttpsServer, openHttpsServer } from "../lib/platform/http/testing/https_server.ts";

export { PUBLIC_ADDRESS } from "../lib/platform/http/testing/https_server.ts";

/** A stand-in for the https origin of clients' documents, `https://localhost/`. */
interface DocumentServer extends HttpsServer {
  paths: string[];
}

export function openDocumentServer(
  respond: (path: string) => Response | Promise<Response>,
): DocumentServer {
  const paths: string[] = [];
  const server = openHttpsServer(({ url }) => {
    const { pathname } = new URL(url);
    paths.push(pathname);
    return respond(pathname);
  });
  return { ...server, paths };
}

/** Returns the document of a client at `https://localhost` and a path, with changes. */
export const documentAt = (path: string, changes: Record<string, unknown> = {}) => ({
  client_id: `https://localhost${path}`,
  client_name: "Documented app",
  redirect_uris: ["https://app.example/callback"],
  token_endpoint_auth_method: "none",
  ...changes,
});
