/** Dynamic registration of OAuth clients (RFC 7591), and reading the clients that are registered. */
import { z } from "zod";
import { encodeBase64Url } from "../../base/encoding.ts";
import { isoAfter, transact } from "../../platform/kv/mod.ts";
import type { Failure } from "../../base/result.ts";
import { cleanText } from "../../base/sanitise.ts";
import { DAY_MS } from "../../base/time.ts";
import { isRedirectUri, MAX_REDIRECT_URI } from "./redirects.ts";
import {
  CLIENT_LIFETIME_MS,
  clients,
  type OAuthClient,
  UNUSED_CLIENT_LIFETIME_MS,
} from "./rows.ts";

/** The largest registration, in bytes. */
export const REGISTRATION_LIMIT = 16 * 1024;
const MAX_REDIRECT_URIS = 20;
/** The maximum length of all redirect URIs of a registration together, in characters. */
const MAX_REDIRECT_URIS_LENGTH = 8_000;
const MAX_NAME = 100;
const CLIENT_ID = /^[\w-]{22}$/;

/** A client's name as it may be shown: one line, without characters that change how it reads. */
export const clientName = z.string().max(1_000).transform((text) =>
  [...cleanText(text.toWellFormed()).replace(/\s+/g, " ").trim()].slice(0, MAX_NAME).join("")
);

/** The redirect URIs of a client. If one is not allowed, all are refused. */
export const redirectUris = z.array(z.string().max(MAX_REDIRECT_URI).refine(isRedirectUri))
  .min(1).max(MAX_REDIRECT_URIS)
  .refine((uris) => uris.join("").length <= MAX_REDIRECT_URIS_LENGTH);

/** Returns whether a client's `grant_types` include refreshing. By default they do not (RFC 7591, section 2). */
export const usesRefresh = (grantTypes: readonly string[] | undefined): boolean =>
  grantTypes?.includes("refresh_token") ?? false;

export const nameList = z.array(z.string().max(200)).max(20);

/** The members of a registration. Others are ignored (RFC 7591, section 2). */
const registration = z.object({
  client_name: clientName.optional(),
  grant_types: nameList.refine((types) => types.includes("authorization_code")).optional(),
  response_types: nameList.refine((types) => types.includes("code")).optional(),
  application_type: z.enum(["native", "web"]).optional(),
});

/** The response to a registration (RFC 7591, section 3.2.1). */
interface Registered {
  client_id: string;
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: readonly string[];
  grant_types: readonly string[];
  response_types: readonly string[];
  token_endpoint_auth_method: "none";
  application_type?: "native" | "web";
}

const REDIRECTS_EXPECTED =
  `Send redirect_uris: 1 to ${MAX_REDIRECT_URIS} URIs, each https, http on a loopback address, or a ` +
  "private-use scheme, without fragment, wildcard or user information.";

/** Its code and message are sent to the client (RFC 7591, section 3.2.2). */
type RegistrationFailure =
  & Failure<"invalid_redirect_uri" | "invalid_client_metadata">
  & { message: string };

/**
 * Registers a client (RFC 7591). It gets no secret, whatever method it asks for, because PKCE protects
 * its codes.
 */
export async function registerClient(
  kv: Deno.Kv,
  input: unknown,
  now: number,
): Promise<{ ok: true; client: Registered } | RegistrationFailure> {
  const uris = z.object({ redirect_uris: redirectUris }).safeParse(input);
  if (!uris.success) {
    const isObject = uris.error.issues.every(({ path }) => path.length > 0);
    return isObject
      ? refuse("invalid_redirect_uri", REDIRECTS_EXPECTED)
      : refuse("invalid_client_metadata", "Send the metadata as a JSON object.");
  }
  const parsed = registration.safeParse(input);
  if (!parsed.success) {
    const member = String(parsed.error.issues[0].path[0]);
    const message = `The value of ${member} is not supported. This server grants authorization ` +
      "codes to public clients.";
    return refuse("invalid_client_metadata", message);
  }
  const { client_name, application_type, grant_types } = parsed.data;
  const refreshes = usesRefresh(grant_types);
  const { redirect_uris } = uris.data;
  const id = encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const name = client_name || "Unnamed client";
  const commit = kv.atomic();
  clients.put(commit, [id], {
    name,
    redirect_uris,
    refreshes,
    created_at: isoAfter(now, 0),
    last_used: null,
    expires_at: isoAfter(now, UNUSED_CLIENT_LIFETIME_MS),
  }, now);
  await commit.commit();
  const client: Registered = {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name: name,
    redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...application_type === undefined ? {} : { application_type },
  };
  return { ok: true, client };
}

const refuse = (error: RegistrationFailure["error"], message: string): RegistrationFailure => ({
  ok: false,
  error,
  message,
});

/** Returns a registered client, or null if its id is unknown or has expired. */
export async function registeredClient(
  kv: Deno.Kv,
  id: string,
  now: number,
): Promise<OAuthClient | null> {
  if (!CLIENT_ID.test(id)) return null;
  const entry = await clients.getLive(kv, now, id);
  if (entry === null) return null;
  const { name, redirect_uris, refreshes } = entry.value;
  return { id, kind: "registered", name, redirect_uris, refreshes };
}

/** Extends a registration because it is in use. Writes at most once per day. */
export async function touchClient(kv: Deno.Kv, id: string, now: number): Promise<void> {
  if (!CLIENT_ID.test(id)) return;
  await transact(async () => {
    const entry = await clients.getLive(kv, now, id);
    if (entry === null) return { result: undefined };
    const { last_used } = entry.value;
    if (last_used !== null && now - Date.parse(last_used) < DAY_MS) return { result: undefined };
    const commit = kv.atomic();
    clients.replace(commit, entry, {
      ...entry.value,
      last_used: isoAfter(now, 0),
      expires_at: isoAfter(now, CLIENT_LIFETIME_MS),
    }, now);
    return { result: undefined, commit };
  });
}
