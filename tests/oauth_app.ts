/** Apps that connect through the official MCP SDKs, for tests of OAuth. */
import { Client as ClientV2, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { REDIRECT } from "./oauth_site.ts";
import type { RecordFixture } from "./record_site.ts";

/** The state that an official SDK keeps for an app: its registration, its tokens, and the page to open. */
export class SdkApp {
  client?: { client_id: string };
  saved?: { access_token: string; token_type: string; refresh_token?: string; scope: string };
  /** The page that the app would open in the browser. */
  opened: URL | null = null;
  #verifier = "";
  #state = 0;

  constructor(readonly redirectUrl = REDIRECT, readonly clientMetadataUrl?: string) {}

  get clientMetadata() {
    return {
      client_name: "SDK app",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
    };
  }
  state = () => `state ${++this.#state}`;
  clientInformation = () => this.client;
  saveClientInformation = (client: { client_id: string }) => void (this.client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: Omit<NonNullable<SdkApp["saved"]>, "scope"> & { scope?: string }) =>
    void (this.saved = { ...tokens, scope: tokens.scope ?? "" });
  redirectToAuthorization = (url: URL) => void (this.opened = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  invalidateCredentials = (kind: string) => {
    if (kind !== "verifier") this.saved = undefined;
    if (kind === "all" || kind === "client") this.client = undefined;
  };
}

interface Connection {
  /** Returns the data of `verify_chain` for the holder's own record. */
  verifyMine(): Promise<{ ok: boolean; record_hash: string; level: number }>;
  /** Gives the SDK the parameters that the redirect brought. */
  finish(answer: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

const INFO = { name: "oauth-clients-test", version: "1.0.0" };
const CALL = { name: "verify_chain", arguments: { record: "mine" } };
const dataOf = (result: unknown) =>
  JSON.parse((result as { content: { text: string }[] }).content[0].text);

/** Connects an app with each official SDK. */
export const SDKS: Record<
  string,
  (url: URL, app: SdkApp, fetch: typeof globalThis.fetch) => Promise<Connection>
> = {
  async "SDK v1"(url, authProvider, fetch) {
    const client = new ClientV1(INFO);
    const transport = new TransportV1(url, { fetch, authProvider });
    await client.connect(transport);
    return {
      verifyMine: async () => dataOf(await client.callTool(CALL)),
      finish: (answer) => transport.finishAuth(answer.get("code")!),
      close: () => client.close(),
    };
  },
  async "SDK v2"(url, authProvider, fetch) {
    const client = new ClientV2(INFO);
    const transport = new StreamableHTTPClientTransport(url, { fetch, authProvider });
    await client.connect(transport);
    return {
      verifyMine: async () => dataOf(await client.callTool(CALL)),
      finish: (answer) => transport.finishAuth(answer),
      close: () => client.close(),
    };
  },
};

const local = createLocalFetch();

/**
 * Approves an app's request with the pages, as a browser without scripts does.
 *
 * @param cookie the holder's session
 * @param fetch sends the requests; by default over sockets
 * @returns the parameters that the app receives
 */
export async function approveWithPages(
  { site }: Pick<RecordFixture, "site">,
  authorize: URL,
  cookie: string,
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response> = local,
): Promise<URLSearchParams> {
  const asked = await fetch(authorize);
  await asked.body?.cancel();
  const app = asked.headers.get("set-cookie")!.split(";")[0];
  const consent = asked.headers.get("location")!;
  const html = await (await fetch(consent, { headers: { cookie } })).text();
  const shown = /name="shown" value="([^"]*)"/.exec(html)![1];
  const request = new URL(consent).searchParams.get("request")!;
  const { origin } = new URL(site.services.surfaces.url("trust")!);
  const decided = await fetch(`${origin}/my-record/authorize`, {
    method: "POST",
    headers: { cookie, origin },
    body: new URLSearchParams({ request, shown, decision: "approve" }),
  });
  await decided.body?.cancel();
  const returned = await fetch(decided.headers.get("location")!, { headers: { cookie: app } });
  await returned.body?.cancel();
  return new URL(returned.headers.get("location")!).searchParams;
}
