/**
 * Connects an app to a record, so that it can register the phone for notifications: OAuth 2.1 with
 * PKCE in the system's browser, without any other kind of sign-in. It uses only `fetch` and WebCrypto,
 * so that it can be ported line by line. `docs/app.md` explains it; `tests/app_connection_test.ts`
 * runs it against the site.
 *
 * @module
 */

/** The data that the app stores in the Keychain or Keystore, and nowhere else. */
export interface StoredConnection {
  clientId: string;
  resource: string;
  tokenEndpoint: string;
  revocationEndpoint: string;
  refreshToken: string;
}

/** The data to keep while the browser is open. */
export interface PendingConnection extends Omit<StoredConnection, "refreshToken"> {
  issuer: string;
  state: string;
  verifier: string;
}

export type Phone =
  | { platform: "ios"; token: string; environment: "production" | "sandbox" }
  | { platform: "android"; token: string };

export interface ConnectionOptions {
  /** The origin of the trust surface, which is built into the app. */
  trust: string;
  /** A claimed https link of the app, or one with its private-use scheme. */
  redirectUri: string;
  /** The name that the consent page shows. */
  name: string;
  /** The URL of the app's client ID metadata document. Without one, the app registers. */
  clientId?: string;
  stored?: StoredConnection;
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Stores the connection, or removes it. It must be durable before it returns. */
  save(stored: StoredConnection | null): Promise<void>;
}

export class ConnectionError extends Error {
  /** @param code the server's code, or `not_connected`, `wrong_answer` or `wrong_metadata` */
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

const SCOPE = "notifications offline_access";

/**
 * The holder has disconnected the app, or it was not used for 90 days; or the app's registration has
 * expired, after 180 days.
 */
const ENDED: readonly string[] = ["invalid_grant", "invalid_client"];

export class Connection {
  #options: ConnectionOptions;
  #stored: StoredConnection | null;
  /** Kept in memory only, for at most an hour. */
  #accessToken: string | null = null;
  #refreshing: Promise<string> | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#stored = options.stored ?? null;
  }

  get isConnected(): boolean {
    return this.#stored !== null;
  }

  /** Returns the page to open in the system's browser, and what `finish` needs afterwards. */
  async begin(): Promise<{ url: string; pending: PendingConnection }> {
    const { trust, redirectUri } = this.#options;
    const resource = `${trust}/api/push/register`;
    const described = await this.#json(
      `${trust}/.well-known/oauth-protected-resource/api/push/register`,
    );
    if (described.resource !== resource) throw wrongMetadata("resource");
    const issuer = String((described.authorization_servers as string[])[0]);
    const { origin, pathname } = new URL(issuer);
    const server = await this.#json(
      `${origin}/.well-known/oauth-authorization-server${pathname === "/" ? "" : pathname}`,
    );
    if (server.issuer !== issuer) throw wrongMetadata("issuer");
    const methods = server.code_challenge_methods_supported as string[] | undefined;
    if (!methods?.includes("S256")) throw wrongMetadata("code_challenge_methods_supported");
    const clientId = this.#options.clientId ??
      await this.#register(String(server.registration_endpoint));
    const [state, verifier] = [randomText(), randomText()];
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: await challengeOf(verifier),
      code_challenge_method: "S256",
      resource,
      scope: SCOPE,
      state,
    });
    return {
      url: `${server.authorization_endpoint}?${query}`,
      pending: {
        clientId,
        resource,
        tokenEndpoint: String(server.token_endpoint),
        revocationEndpoint: String(server.revocation_endpoint),
        issuer,
        state,
        verifier,
      },
    };
  }

  /** Handles the URL with which the browser returned to the app. */
  async finish(returned: string, pending: PendingConnection): Promise<void> {
    const answer = new URL(returned).searchParams;
    const { issuer, state, verifier, ...rest } = pending;
    if (answer.get("state") !== state || answer.get("iss") !== issuer) {
      throw new ConnectionError("wrong_answer", "The link does not answer this app's request.");
    }
    const error = answer.get("error");
    if (error !== null) throw new ConnectionError(error, answer.get("error_description") ?? "");
    const earlier = this.#stored;
    await this.#issue(rest, {
      grant_type: "authorization_code",
      code: answer.get("code") ?? "",
      redirect_uri: this.#options.redirectUri,
      code_verifier: verifier,
    });
    // Otherwise the earlier record would keep a connection that nobody uses. A failure is harmless.
    if (earlier !== null) await this.#revoke(earlier).catch(() => {});
  }

  /** Registers the phone. Call it at each start, and when the system reports a new token. */
  register(phone: Phone): Promise<void> {
    return this.#send("POST", phone);
  }

  /** Ends the notifications on this phone, and keeps the connection. */
  remove(phone: Phone): Promise<void> {
    return this.#send("DELETE", phone);
  }

  /** Disconnects the app, which also removes the phone. */
  async disconnect(): Promise<void> {
    if (this.#stored === null) return;
    const response = await this.#revoke(this.#stored);
    if (!response.ok) throw new ConnectionError("unavailable", "Try again later.");
    await this.#forget();
  }

  async #revoke({ clientId, refreshToken, revocationEndpoint }: StoredConnection) {
    const form = { client_id: clientId, token: refreshToken };
    const response = await this.#post(revocationEndpoint, form);
    await response.body?.cancel();
    return response;
  }

  async #send(method: string, phone: Phone): Promise<void> {
    for (let attempt = 1;; attempt++) {
      const token = this.#accessToken ?? await this.#refresh();
      const response = await this.#fetch(this.#stored!.resource, {
        method,
        headers: { "authorization": `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(phone),
      });
      const body = await response.json();
      if (response.ok) return;
      if (response.status !== 401 || attempt === 2) {
        throw new ConnectionError(body.error, body.message);
      }
      this.#accessToken = null; // it has expired
    }
  }

  /** Concurrent calls share one request, because each refresh token is used once. */
  #refresh(): Promise<string> {
    return this.#refreshing ??= this.#refreshOnce().finally(() => this.#refreshing = null);
  }

  async #refreshOnce(): Promise<string> {
    if (this.#stored === null) throw new ConnectionError("not_connected", "Connect the app first.");
    const { refreshToken, ...rest } = this.#stored;
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    try {
      return await this.#issue(rest, form);
    } catch (error) {
      if (error instanceof ConnectionError && ENDED.includes(error.code)) await this.#forget();
      throw error;
    }
  }

  async #issue(
    about: Omit<StoredConnection, "refreshToken">,
    form: Record<string, string>,
  ): Promise<string> {
    const { clientId: client_id, resource, tokenEndpoint } = about;
    const response = await this.#post(tokenEndpoint, { ...form, client_id, resource });
    const body = await response.json();
    if (!response.ok) throw new ConnectionError(body.error, body.error_description);
    const { clientId, revocationEndpoint } = about;
    const refreshToken = body.refresh_token;
    this.#stored = { clientId, resource, tokenEndpoint, revocationEndpoint, refreshToken };
    await this.#options.save(this.#stored);
    return this.#accessToken = body.access_token;
  }

  async #forget(): Promise<void> {
    this.#accessToken = null;
    this.#stored = null;
    await this.#options.save(null);
  }

  async #register(endpoint: string): Promise<string> {
    const { name, redirectUri } = this.#options;
    const registered = await this.#json(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: name,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        application_type: "native",
      }),
    });
    return String(registered.client_id);
  }

  async #json(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
    const response = await this.#fetch(url, init);
    const body = await response.json();
    if (response.ok) return body;
    throw new ConnectionError(body.error, body.error_description ?? body.message);
  }

  #post(url: string, form: Record<string, string>): Promise<Response> {
    return this.#fetch(url, { method: "POST", body: new URLSearchParams(form) });
  }

  #fetch(url: string, init?: RequestInit): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    return fetch(url, init);
  }
}

const wrongMetadata = (member: string) =>
  new ConnectionError("wrong_metadata", `The metadata has another ${member}.`);

/** 256 random bits. */
const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64Url(new Uint8Array(digest));
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
