import type { Config } from "../../lib/app/config.ts";
import type { RelayConfig } from "../../lib/features/relay/mod.ts";
import { originOf } from "../../lib/platform/surfaces/mod.ts";

/** The slug is shown only for the sandbox relay; configured slugs are secret even here. */
export function Relay({ relay, config }: { relay: RelayConfig; config: Config }) {
  const address = originOf(relay.host, config);
  return (
    <>
      <p class="muted below-2 text-small">
        Read-only access to a protected origin, at <code>{address}</code>
      </p>
      {config.relays.sandbox && (
        <ul class="surface-links text-small">
          <li>
            <a href={`${address}/${relay.slug}/`}>protected pages</a>{" "}
            <code class="muted">/{relay.slug}/</code>
          </li>
          <li>
            <a href={`${address}/wrong/`}>a wrong slug</a> <code class="muted">/wrong/</code>
          </li>
        </ul>
      )}
    </>
  );
}
