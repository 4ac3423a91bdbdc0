import { readRelatedOrigins } from "../../lib/features/api/mod.ts";
import { published, webauthnDocument } from "../../lib/features/passkeys/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route } from "../../lib/app/state.ts";

/** Lists the other origins whose pages may use the passkeys (WebAuthn, related origins). */
export const handler = route({
  GET: serveOperation(
    readRelatedOrigins,
    ({ state }) => published(webauthnDocument(state.services.config.passkeys)),
  ),
});
