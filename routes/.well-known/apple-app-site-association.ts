import { readAppleApps } from "../../lib/features/api/mod.ts";
import { appleDocument, published } from "../../lib/features/passkeys/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route } from "../../lib/app/state.ts";

/** Lists the apps that may use the passkeys on Apple's systems. */
export const handler = route({
  GET: serveOperation(
    readAppleApps,
    ({ state }) => published(appleDocument(state.services.config.passkeys)),
  ),
});
