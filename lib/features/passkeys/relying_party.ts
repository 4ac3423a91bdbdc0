import type { PasskeyConfig } from "./variables.ts";
import { decodeHex, encodeBase64Url } from "../../base/encoding.ts";
import { RequestError } from "../../platform/http/errors.ts";

/** The site as authenticators know it: passkeys belong to its id. */
export interface RelyingParty {
  /** The host of the surface. */
  id: string;
  name: string;
  /** The origins from which responses are accepted, compared exactly. */
  origins: string[];
}

/**
 * Returns the relying party of a surface. Its id and origin come from the configured base URL, never
 * from a request, so that a foreign page or host cannot use a passkey.
 */
export function relyingPartyOf(
  { baseUrl }: { baseUrl: string },
  name: string,
  { relatedOrigins, androidApps }: PasskeyConfig,
): RelyingParty {
  const { hostname: id, origin } = new URL(baseUrl);
  return { id, name, origins: [origin, ...relatedOrigins, ...androidApps.map(androidOrigin)] };
}

/** Returns the origin that Android puts into the responses of an app. */
const androidOrigin = ({ fingerprint }: { fingerprint: string }): string =>
  `android:apk-key-hash:${encodeBase64Url(decodeHex(fingerprint.replaceAll(":", "")))}`;

/** Returns `/.well-known/webauthn`, or null if there are no related origins. */
export const webauthnDocument = ({ relatedOrigins }: PasskeyConfig) =>
  relatedOrigins.length === 0 ? null : { origins: relatedOrigins };

/** Returns `/.well-known/apple-app-site-association`, or null if there are no apps. */
export const appleDocument = ({ appleAppIds }: PasskeyConfig) =>
  appleAppIds.length === 0 ? null : { webcredentials: { apps: appleAppIds } };

/** Returns `/.well-known/assetlinks.json`, or null if there are no apps. */
export function androidDocument({ androidApps }: PasskeyConfig) {
  if (androidApps.length === 0) return null;
  const packages = Map.groupBy(androidApps, (app) => app.package);
  return [...packages].map(([name, apps]) => ({
    relation: ["delegate_permission/common.get_login_creds"],
    target: {
      namespace: "android_app",
      package_name: name,
      sha256_cert_fingerprints: apps.map(({ fingerprint }) => fingerprint),
    },
  }));
}

/**
 * Returns the response with one of these documents. Systems fetch them without cookies and cache them.
 *
 * @throws {RequestError} 404 if it is not configured
 */
export function published(document: object | null): Response {
  if (document === null) throw new RequestError(404);
  return Response.json(document, { headers: { "cache-control": "public, max-age=300" } });
}
