import { readAndroidApps } from "../../lib/features/api/mod.ts";
import { androidDocument, published } from "../../lib/features/passkeys/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route } from "../../lib/app/state.ts";

/** Lists the apps that may use the passkeys on Android. */
export const handler = route({
  GET: serveOperation(
    readAndroidApps,
    ({ state }) => published(androidDocument(state.services.config.passkeys)),
  ),
});
