/** RFC 8037, appendix A.2: a public key that any implementation can import. */
const KNOWN_KEY = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
};

/**
 * Whether this browser can verify a chain. `insecure`: WebCrypto is there on secure pages only,
 * which HTTPS and localhost are; `no_ed25519`: it lacks the signatures of heads. Without asking, a
 * good signature would look like a bad one.
 */
export async function verifierSupport(
  subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle,
): Promise<"ok" | "insecure" | "no_ed25519"> {
  if (subtle === undefined) return "insecure";
  try {
    await subtle.importKey("jwk", KNOWN_KEY, { name: "Ed25519" }, false, ["verify"]);
    return "ok";
  } catch {
    return "no_ed25519";
  }
}
