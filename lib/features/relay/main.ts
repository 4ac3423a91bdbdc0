/**
 * `deno task relay`: serves a single relay, configured by environment variables. It needs no access to
 * files or other programs. `deno task relay:new` prints a command line that also restricts its network
 * access.
 *
 * @module
 */
import { serve } from "../../platform/http/serve.ts";
import { onStop, stopServer } from "../../platform/stop.ts";
import { RELAY_VARIABLES, relayEnvironmentSchema } from "./config.ts";
import { createRelay } from "./mod.ts";

/** Each variable is read by name, so that the process needs no permission for others. */
const given = Object.fromEntries(
  RELAY_VARIABLES.map((name) => [name, Deno.env.get(name)?.trim() || undefined]),
);
const parsed = relayEnvironmentSchema.safeParse(given);
if (!parsed.success) {
  console.error("The relay cannot be configured:");
  for (const { path, message } of parsed.error.issues) {
    console.error(`  ${String(path[0])}: should be ${message}`);
  }
  Deno.exit(1);
}
const env = parsed.data;

const log = (entry: Record<string, unknown>) => console.error(JSON.stringify(entry));
const relay = createRelay({
  name: "relay",
  slug: env.RELAY_SLUG,
  previousSlug: env.RELAY_PREVIOUS_SLUG,
  clientId: env.RELAY_CLIENT_ID,
  clientSecret: env.RELAY_CLIENT_SECRET,
  origin: env.RELAY_ORIGIN,
  rewriteLinks: env.RELAY_REWRITE_LINKS,
}, { fetch, timeoutMs: env.RELAY_TIMEOUT_MS, log });

try {
  stopServer(serve({
    hostname: env.HOST,
    port: env.PORT,
    onListen: ({ hostname, port }) =>
      console.log(`Relay to ${env.RELAY_ORIGIN} on http://${hostname}:${port}`),
    log,
  }, relay));
  onStop(({ served }) => served);
} catch (error) {
  if (!(error instanceof Deno.errors.AddrInUse)) throw error;
  console.error("The port is in use. Set PORT to another one.");
  Deno.exit(1);
}
