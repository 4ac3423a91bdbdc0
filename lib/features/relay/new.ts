/**
 * `deno task relay:new <name> [origin]`: prints a new slug, the configuration to set and the steps.
 * Changes nothing. Exits with 2 on incorrect usage.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { RELAY_VARIABLES, relayConfigSchema } from "./config.ts";

/**
 * Returns a new secret slug with 96 random bits.
 *
 * @param prefix letters, digits and hyphens; not secret
 */
export const newSlug = (prefix: string): string => `${prefix}-${randomBytes(12).toString("hex")}`;

/**
 * Returns the instructions for a new relay (spec 4.8): a slug, the configuration inside the site or
 * standalone, the command line with its permissions, and the steps.
 *
 * @param name letters, digits and hyphens; the slug's prefix and the name in the log
 * @param origin the protected origin; a placeholder by default
 */
export function newRelay(name: string, origin = `https://${name}.example`): string {
  const slug = newSlug(name);
  const { protocol, hostname, port } = new URL(origin);
  const originHost = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  const host = `${name}.relay.example`;
  const entry = {
    name,
    host,
    slug,
    clientId: "<client id>",
    clientSecret: "<client secret>",
    origin,
  };
  return `A new relay: ${name}

  ${slug}

This slug is a secret: anyone who knows it can read ${origin}. It is not stored.

Inside the site, as an entry of RELAYS:

  ${JSON.stringify(entry)}

Standalone, as a separate process (from this folder):

  HOST=127.0.0.1
  PORT=8000
  RELAY_SLUG=${slug}
  RELAY_CLIENT_ID=<client id>
  RELAY_CLIENT_SECRET=<client secret>
  RELAY_ORIGIN=${origin}

  deno run --frozen --no-prompt \\
    --allow-net=${originHost},127.0.0.1:8000 \\
    --allow-env=${RELAY_VARIABLES.join(",")} \\
    lib/features/relay/main.ts

To listen elsewhere, change HOST, PORT and --allow-net.

Steps:

  1. Give the relay its own host name, such as ${host}, without access control.
  2. In the origin's access layer, create a service token that does not expire.
  3. Set the slug, client id, client secret and origin where the relay runs.
  4. Restart the relay, or the site unless RELAYS is in a file.
  5. Allow the service token in the policy of the origin's access application.
  6. Verify: deno task relay:check https://${host} ${slug}
`;
}

if (import.meta.main) {
  const [name, origin] = Deno.args;
  const { shape } = relayConfigSchema;
  const parsedName = shape.name.safeParse(name);
  const parsedOrigin = shape.origin.optional().safeParse(origin);
  if (Deno.args.length > 2 || !parsedName.success || !parsedOrigin.success) {
    console.error("Usage: deno task relay:new <name> [origin], such as docs https://docs.example");
    Deno.exit(2);
  }
  console.log(newRelay(parsedName.data, parsedOrigin.data));
}
