/**
 * An origin, without arguments, and otherwise the smallest relay that Deno allows, as a lower bound for
 * ours: it does what spec 4.8 defines, streams the body, and leaves out everything else, such as
 * time-outs, disconnects, links and other headers. Its arguments are the origin, the slug and the service
 * token. It prints the port that it listens on.
 *
 * @module
 */
const [origin, slug, clientId, clientSecret] = Deno.args;
const client = Deno.createHttpClient({ http2: false });
const content = new Uint8Array(1_000).fill(0x2e);

function serveOrigin(): Response {
  return new Response(content, { headers: { "content-type": "application/octet-stream" } });
}

async function relay({ method, url }: Request): Promise<Response> {
  if (method !== "GET") return new Response(null, { status: 405 });
  const start = url.indexOf("/", "http://".length) + 1;
  const end = start + slug.length;
  if (url.slice(start, end + 1) !== `${slug}/`) return new Response(null, { status: 403 });
  const token = {
    "edge-access-client-id": clientId,
    "edge-access-client-secret": clientSecret,
  };
  const { body, status, headers } = await fetch(
    origin + url.slice(end),
    { client, headers: token } as RequestInit,
  );
  const response = new Response(body, { status, headers });
  for (const name of Object.keys(token)) response.headers.delete(name);
  response.headers.set("cache-control", "no-store");
  return response;
}

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  origin === undefined ? serveOrigin : relay,
);
