/** Loads the published verifier script into a page that embeds the contact form, and checks its hash. */
import published from "../../packages/proof/release/published/versions.json" with {
  type: "json",
};
import type { LoadVerifier } from "./LogLine.tsx";

/**
 * Loads the published verifier from the endpoint's host. Its bytes must be those that were published with this
 * module: otherwise, a page that pins this module would run a script that it has not pinned.
 *
 * @returns a function that rejects if the script cannot be loaded or has other bytes
 */
export const loadPublished = (endpoint: string): LoadVerifier => async () => {
  const [{ version, sha256 }] = published;
  const url = new URL(`/verifier/${version}/verifier.js`, endpoint).href;
  const digest = sha256["verifier.js"].replace(
    /../g,
    (digits) => String.fromCharCode(parseInt(digits, 16)),
  );
  const script = Object.assign(document.createElement("script"), {
    type: "module",
    crossOrigin: "anonymous",
    integrity: `sha256-${btoa(digest)}`,
    src: trusted(url),
  });
  try {
    await new Promise((resolve, reject) => {
      Object.assign(script, { onload: resolve, onerror: reject });
      document.head.append(script);
    });
  } finally {
    script.remove();
  }
  return await import(url); // the module of the element, which the browser does not request again
};

/** Returns a URL in the form that pages with `require-trusted-types-for` demand. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as unknown as {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): typeof rules;
    };
  };
  const policy = trustedTypes?.createPolicy("contact-form", { createScriptURL: (each) => each });
  return policy?.createScriptURL(url) ?? url;
}
