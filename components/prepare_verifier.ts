import { verifierSupport } from "../packages/proof/chain/mod.ts";

/**
 * Prepares this browser for verifying signatures. Without Ed25519 in WebCrypto, as before Chrome 137, Safari 17 and
 * Firefox 129, it loads a script that verifies them.
 *
 * @returns false on a page without HTTPS, where browsers provide no cryptography at all
 */
export async function prepareVerifier(): Promise<boolean> {
  const support = await verifierSupport();
  if (support === "no_ed25519") {
    const { addEd25519 } = await import("./ed25519.ts");
    addEd25519(crypto.subtle);
  }
  return support !== "insecure";
}
