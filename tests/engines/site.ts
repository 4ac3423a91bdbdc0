/** A site for tests in several browser engines, with TLS if the engine needs it. */
import { SURFACES } from "../../lib/platform/surfaces/mod.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "../../lib/testing/certificate.ts";
import { type RecordFixture, recordFixture } from "../record_site.ts";

/** A site for a browser, and a page of somebody else that embeds the contact form. */
export interface EngineSite extends RecordFixture {
  /** The address of the page. */
  elsewhere: string;
  /** Ends the servers, as if the connection were lost. */
  stop(): Promise<void>;
}

type Handler = (req: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;

/** Serves a site, with TLS for browsers that keep no `Secure` cookies without it. */
export async function engineSite({ tls }: { tls: boolean }): Promise<EngineSite> {
  let handler: Handler = () => new Response(null, { status: 503 });
  const [site, other] = [serve((req, info) => handler(req, info), tls), serve(embeddingPage, tls)];
  const scheme = tls ? "https" : "http";
  const elsewhere = `${scheme}://127.0.0.1:${other.addr.port}`;
  const { port } = site.addr;
  const hosts = Object.entries(SURFACES).map(([name, { hosts: [host] }]) =>
    [name, [`${scheme}://${host}:${port}`]] as const
  );
  const fixture = await recordFixture({
    PORT: String(port),
    SURFACE_HOSTS: JSON.stringify(Object.fromEntries(hosts)),
    SIGN_IN_CLIENT_LIMIT: "0",
    CONTACT_ORIGINS: elsewhere,
  });
  handler = (req, info) => fixture.site.handler(withHost(req), info);
  const api = fixture.site.services.surfaces.url("api")!;
  pages.set(new URL(elsewhere).port, api);
  let running = true;
  const stop = async () => {
    if (!running) return;
    running = false;
    await Promise.all([site.shutdown(), other.shutdown(), fixture.site[Symbol.asyncDispose]()]);
  };
  return { ...fixture, elsewhere, stop, [Symbol.asyncDispose]: stop };
}

const serve = (handler: Handler, tls: boolean) =>
  Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
    ...tls && { cert: CERTIFICATE, key: CERTIFICATE_KEY },
  }, handler);

/** HTTP/2, which browsers use with TLS, has no `Host`. A proxy adds it. */
function withHost(req: Request): Request {
  if (req.headers.has("host")) return req;
  const headers = new Headers(req.headers);
  headers.set("host", new URL(req.url).host);
  return new Request(req, { headers });
}

/** The address of the API for each embedding page, by the page's port. */
const pages = new Map<string, string>();

/** The page and the policy of the guide to the contact form. */
function embeddingPage(req: Request): Response {
  const { port, pathname } = new URL(req.url);
  const api = pages.get(port)!;
  if (pathname === "/page.js") {
    const endpoint = JSON.stringify(`${api}/api/ir/register`);
    return new Response(
      `globalThis.form = ContactForm.mount("#contact", { mode: "page", endpoint: ${endpoint} });`,
      { headers: { "content-type": "text/javascript" } },
    );
  }
  if (pathname !== "/") return new Response(null, { status: 404 });
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elsewhere</title>
    <main><h1>Elsewhere</h1><div id="contact"><a href="/mail">Write to us</a></div></main>
    <script src="${api}/components/contact-form.js" crossorigin></script>
    <script src="/page.js"></script></html>`,
    {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy":
          `default-src 'none'; script-src 'self' ${api}; connect-src ${api}; style-src 'self'`,
      },
    },
  );
}
