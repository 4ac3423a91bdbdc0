import type { PasskeyConfig } from "./variables.ts";
import { decodeHex, encodeBase64Url } from "../../base/encoding.ts";
import { createRelyingParty, type RelyingParty } from "./relying_party.ts";

/** Returns the relying party of a surface, with the other origins that may use its passkeys. */
export const relyingPartyOf = (
  surface: { baseUrl: string },
  name: string,
  { relatedOrigins, androidApps }: PasskeyConfig,
): RelyingParty =>
  createRelyingParty(surface, name, [...relatedOrigins, ...androidApps.map(androidOrigin)]);

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
