/** The responses with the script of the contact form. */
import { allowOrigin } from "../../platform/http/cors.ts";
import { readHeader } from "../../platform/http/header.ts";
import { type ContactModule, versionPath } from "./module.ts";

/** Any origin may load the script, even with `crossorigin` and `integrity`. */
const OPEN = {
  ...allowOrigin("*", { responseHeaders: [] }),
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Returns the response for the stable URL, `/components/contact-form.js`. It is cached for five
 * minutes, so that pages soon get new versions.
 */
export function redirectToVersion(module: ContactModule): Response {
  return new Response(null, {
    status: 302,
    headers: { ...OPEN, "location": versionPath(module), "cache-control": "public, max-age=300" },
  });
}

/**
 * Returns the script. A request for another version comes from a page that was redirected a few
 * minutes ago, or by another process during a rollout. It gets the current version, which works
 * with the same endpoint, and which is not cached under that URL. Pages with an `integrity`
 * attribute reject it, as intended.
 *
 * @param name the last part of the path
 * @returns null if it is not the name of a version
 */
export function serveVersion(module: ContactModule, name: string, req: Request): Response | null {
  if (!/^[0-9a-f]{20}\.js$/.test(name)) return null;
  const current = name === `${module.fingerprint}.js`;
  const zipped = GZIP.test(readHeader(req, "accept-encoding") ?? "");
  return new Response(zipped ? module.gzip : module.code, {
    headers: {
      ...OPEN,
      ...zipped && { "content-encoding": "gzip" },
      "vary": "Accept-Encoding",
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": current ? "public, max-age=31536000, immutable" : "no-store",
    },
  });
}

/** Matches an `Accept-Encoding` that allows gzip, so not with `q=0`. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;
