// @ts-check
/**
 * A web worker that reads the QR code in an image, so that searching it does not freeze the page. The
 * build bundles it with its import.
 *
 * The page sends the pixels, `{data, width, height}`, and gets `{text}`, which is null without a code.
 */
import jsQR from "jsqr";

// The package is CommonJS, so its types have the function as `default`.
const decode = /** @type {typeof jsQR.default} */ (/** @type {unknown} */ (jsQR));

addEventListener("message", ({ data: { data, width, height } }) => {
  const code = decode(data, width, height, { inversionAttempts: "dontInvert" });
  postMessage({ text: code?.data ?? null });
});
