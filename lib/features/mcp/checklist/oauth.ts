/** The checklist's point about OAuth: the server's metadata is found, and its endpoints respond. */
import type { z } from "zod";
import { SERVER_DESCRIPTOR_PATH } from "../documents.ts";
import type { Probe, Reply } from "./probe.ts";
import * as responses from "./responses.ts";
import { type Findings, schemaIssues, statusOf } from "./responses.ts";

const SERVER_PATH = "/.well-known/oauth-authorization-server";
const RESOURCE_PATH = "/.well-known/oauth-protected-resource";

type ServerMetadata = z.infer<typeof responses.oauthMetadata>;

/**
 * (7) OAuth metadata is found, either at the origin or through a challenge, and its endpoints respond.
 * Its absence is noted, because a server may be open to everyone.
 */
export async function oauth(probe: Probe): Promise<Findings> {
  const errors: string[] = [];
  const notes: string[] = [];
  const root = await probe.get(SERVER_PATH);
  if (root?.status !== 200 && root?.status !== 404) {
    return { errors: [`metadata returned ${statusOf(root)}`], notes };
  }
  const resource = await findResource(probe, root.status === 404, errors);
  if (root.status === 404 && resource === undefined) {
    if (errors.length === 0) {
      notes.push(
        "no authorization server metadata (404), and no challenge for an invalid token: noted for " +
          "future upgrade",
      );
    }
    return { errors, notes };
  }
  if (resource !== undefined && resource.resource !== probe.url.href) {
    notes.push(`the metadata of the resource names another address: ${resource.resource}`);
  }
  const issuer = resource?.authorization_servers[0] ?? probe.url.origin;
  const reply = root.status === 200 && issuer === probe.url.origin
    ? root
    : await probe.get(metadataUrl(issuer));
  const metadata = readMetadata(reply, issuer, errors);
  if (metadata) {
    await checkEndpoints(probe, metadata, errors);
    await compareDescriptor(probe, metadata, errors);
  }
  return { errors, notes };
}

/**
 * Returns the metadata of the endpoint (RFC 9728): where a challenge points to, otherwise at the
 * well-known path. Undefined if there is none.
 *
 * @param needed whether clients cannot find the authorization server without it
 */
async function findResource(probe: Probe, needed: boolean, errors: string[]) {
  const ping = { jsonrpc: "2.0", id: 2001, method: "ping" };
  const refused = await probe.post(ping, { authorization: "Bearer gatehouse-checklist" });
  const challenge = refused?.headers.get("www-authenticate") ?? "";
  const url = /\bresource_metadata="([^"]*)"/.exec(challenge)?.[1];
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return void errors.push(`the challenge names ${url} as the metadata of the resource`);
  }
  const reply = await probe.get(url ?? RESOURCE_PATH + probe.url.pathname);
  if (url === undefined && reply?.status === 404) {
    if (needed && refused?.status === 401) {
      errors.push("an invalid token returned 401, but no metadata says where to get a valid one");
    }
    return undefined;
  }
  if (reply?.status !== 200) {
    return void errors.push(`the metadata of the resource returned ${statusOf(reply)}`);
  }
  const issues = schemaIssues("metadata of the resource", responses.resourceMetadata, reply.json);
  errors.push(...issues);
  return issues.length ? undefined : reply.json as z.infer<typeof responses.resourceMetadata>;
}

/** Returns where the metadata of an issuer is (RFC 8414, section 3.1). */
function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}${SERVER_PATH}${pathname === "/" ? "" : pathname}`;
}

function readMetadata(
  reply: Reply | undefined,
  issuer: string,
  errors: string[],
): ServerMetadata | undefined {
  if (reply?.status !== 200) {
    return void errors.push(`the metadata of ${issuer} returned ${statusOf(reply)}`);
  }
  const issues = schemaIssues("metadata", responses.oauthMetadata, reply.json);
  errors.push(...issues);
  if (issues.length) return undefined;
  const metadata = reply.json as ServerMetadata;
  if (metadata.issuer !== issuer) {
    errors.push(`the metadata of ${issuer} names another issuer: ${metadata.issuer}`);
  }
  return metadata;
}

/** Requests without parameters must get an error, and must not be lost. Nothing is registered. */
async function checkEndpoints(probe: Probe, metadata: ServerMetadata, errors: string[]) {
  const authorize = await probe.get(metadata.authorization_endpoint);
  if (authorize === undefined || authorize.status === 404 || authorize.status >= 500) {
    errors.push(`the authorization endpoint returned ${statusOf(authorize)}`);
  }
  const token = await probe.submit(metadata.token_endpoint);
  const { error } = (token?.json ?? {}) as { error?: unknown };
  if (![400, 401].includes(token?.status ?? 0) || typeof error !== "string") {
    errors.push(`the token endpoint returned ${statusOf(token)} without an error in JSON`);
  }
}

/** Compares the endpoints that the server descriptor names with those of the metadata. */
async function compareDescriptor(probe: Probe, metadata: ServerMetadata, errors: string[]) {
  const reply = await probe.get(SERVER_DESCRIPTOR_PATH);
  const parsed = responses.descriptorOAuth.safeParse(reply?.json);
  if (!parsed.success || !isSameHost(parsed.data.endpoints.streamable_http, probe.url)) return;
  const { oauth2 } = parsed.data.authentication;
  for (const name of ["authorization_endpoint", "token_endpoint"] as const) {
    if (oauth2[name] !== metadata[name]) {
      errors.push(`the descriptor's ${name} is ${oauth2[name]}, not ${metadata[name]}`);
    }
  }
}

const isSameHost = (url: string, { host }: URL) => URL.parse(url)?.host === host;
