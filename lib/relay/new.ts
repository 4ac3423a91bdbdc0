import { RELAY_VARIABLES } from "./config.ts";
import { newSlug } from "./slug.ts";

/**
 * Writes down how a relay is added (spec 4.8): a new slug, the configuration to set, inside the
 * site and alone, the command line with the permissions it needs, and the steps.
 *
 * @param name letters, digits and hyphens; the slug's prefix and the name in the log
 * @param origin the protected one; a placeholder where it is not known yet
 *
 * @example
 * ```ts
 * console.log(newRelay("docs", "https://docs.example"));
 * ```
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

This slug is a secret: whoever knows it reads ${origin}. It is shown this once.

Inside the site, as one more entry of RELAYS:

  ${JSON.stringify(entry)}

Alone, as a process of its own (from this folder):

  HOST=127.0.0.1
  PORT=8000
  RELAY_SLUG=${slug}
  RELAY_CLIENT_ID=<client id>
  RELAY_CLIENT_SECRET=<client secret>
  RELAY_ORIGIN=${origin}

  deno run --frozen --no-prompt \\
    --allow-net=${originHost},127.0.0.1:8000 \\
    --allow-env=${RELAY_VARIABLES.join(",")} \\
    lib/relay/main.ts

Listening elsewhere, name that address in HOST, PORT and --allow-net alike.

Steps:

  1. Give the relay a host name of its own, such as ${host}, with no access control in front.
  2. Make a service token that does not expire, with the access layer of the origin.
  3. Set the three secrets, slug, client id and client secret, and the origin, where the relay runs.
  4. Start it, or the site, anew.
  5. Allow the service token in the policy of the origin's access application.
  6. Verify: deno task relay:check https://${host} ${slug}
`;
}
