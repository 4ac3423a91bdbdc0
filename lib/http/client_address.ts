/**
 * The address of the client that sent a request. Behind proxies it is the entry of
 * `X-Forwarded-For` that the outermost believed proxy wrote; what stands further left is the
 * client's own claim and is not believed.
 *
 * @param trustProxy How many proxies stand in front of us
 */
export function clientAddress(
  req: Request,
  info: Deno.ServeHandlerInfo,
  trustProxy: number,
): string {
  const { remoteAddr } = info;
  const peer = "hostname" in remoteAddr ? remoteAddr.hostname : "local";
  if (trustProxy === 0) return peer;
  const forwarded = req.headers.get("x-forwarded-for")?.split(",").map((part) => part.trim());
  if (forwarded === undefined) return peer;
  return withoutPort(forwarded[Math.max(0, forwarded.length - trustProxy)]) || peer;
}

/** Some proxies write the client's port too, which is another one for each connection. */
const withoutPort = (entry: string): string =>
  entry.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1").replace(/^\[(.*)\](?::\d+)?$/, "$1");
