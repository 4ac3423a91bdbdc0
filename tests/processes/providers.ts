/** Fake outside services for the tests with several processes: mail, codes and webhooks. */
import { generatePrivateJwk } from "../../packages/proof/mod.ts";
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from "../../lib/testing/certificate.ts";

/** The surfaces that the clients use, by host. */
export const HOSTS = {
  site: "qualpack.test",
  foundation: "foundation.test",
  "foundation-mcp": "mcp.foundation.test",
  commercial: "commercial.test",
  "commercial-mcp": "mcp.commercial.test",
  api: "api.test",
  trust: "trust.test",
};

export type Host = keyof typeof HOSTS;

/** A message that a provider accepted. */
export interface SentMail {
  to: string;
  text: string;
  /** Its `Idempotency-Key`. */
  id: string;
}

interface SentCode {
  to: string;
  text: string;
}

/** A webhook's event that an issuer's server received. */
interface ReceivedEvent {
  /** The `webhook-id`, which is the same in each attempt. */
  id: string;
  type: string;
  /** False if the server refused it. */
  accepted: boolean;
}

/** The services that a deployment uses: mail, codes, and the server of an issuer. */
export interface Providers extends AsyncDisposable {
  port: number;
  mails: SentMail[];
  codes: SentCode[];
  events: ReceivedEvent[];
  /** If true, they respond 503. */
  refuses: boolean;
  /** The environment of a production site that uses them, without its store and address. */
  env: Record<string, string>;
}

/** Starts the services on a free port of `localhost`, with a certificate of an authority of their own. */
export async function startProviders(): Promise<Providers> {
  const folder = await Deno.makeTempDir();
  const authority = `${folder}/authority.pem`;
  await Deno.writeTextFile(authority, AUTHORITY);
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
    onListen: () => {},
  }, async (request) => {
    const message = await request.json().catch(() => null);
    if (message === null) return new Response(null, { status: 400 }); // its sender was killed
    const { headers, url } = request;
    const accepted = !providers.refuses;
    const { pathname } = new URL(url);
    if (pathname === "/hook") {
      providers.events.push({ id: headers.get("webhook-id")!, type: message.type, accepted });
    }
    if (!accepted) return new Response(null, { status: 503 });
    if (pathname === "/mail") {
      providers.mails.push({ ...message, id: headers.get("idempotency-key") });
    } else if (pathname === "/codes") {
      providers.codes.push(message);
    }
    return Response.json({ id: crypto.randomUUID() });
  });
  const { port } = server.addr;
  const providers: Providers = {
    port,
    mails: [],
    codes: [],
    events: [],
    refuses: false,
    env: await productionEnv(`https://localhost:${port}`, authority),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    },
  };
  return providers;
}

const productionEnv = async (url: string, authority: string): Promise<Record<string, string>> => ({
  APP_ENV: "production",
  APP_SECRET: new Uint8Array(32).toBase64({ alphabet: "base64url", omitPadding: true }),
  SURFACE_HOSTS: JSON.stringify(
    Object.fromEntries(Object.entries(HOSTS).map(([name, host]) => [name, [host]])),
  ),
  DENO_CERT: authority,
  TRUST_PROXY: "1",
  MAIL_TRANSPORT: "http",
  MAIL_API_URL: `${url}/mail`,
  MAIL_API_KEY: "key",
  CODE_PROVIDER: "http",
  CODE_HTTP_URL: `${url}/codes`,
  CODE_HTTP_KEY: "key",
  CHAIN_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
  LOG_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
  ...Object.fromEntries(
    ["FOUNDATION", "COMMERCIAL"].flatMap((name) => [
      [`${name}_NAME`, `The ${name.toLowerCase()}`],
      [`${name}_CONTACT_EMAIL`, `${name.toLowerCase()}@test.org`],
      [`${name}_CODE_HOST_URL`, `https://code.test/${name.toLowerCase()}`],
    ]),
  ),
  ALLOW_EMPTY_STORE: "1",
});
