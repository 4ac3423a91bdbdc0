import type { Config } from "../../lib/config.ts";
import type { RelayConfig } from "../../lib/relay/mod.ts";
import type { State } from "../../lib/state.ts";
import { originOf } from "../../lib/surfaces/mod.ts";

/** Development's start page: every surface, with what to try on it. */
export function WorkbenchHome({ state }: { state: State }) {
  const { surfaces, config } = state.services;
  return (
    <section>
      <p class="eyebrow">Workbench</p>
      <h1>Every surface of this house</h1>
      <p class="lead">
        One process serves them all, by the host name. Browsers and curl resolve{" "}
        <code>*.localhost</code>{" "}
        to this machine by themselves; whatever does not, is served here on plain{" "}
        <code>localhost</code>, as the commercial organisation.
      </p>
      <ul class="cards">
        {surfaces.all.map((surface) => (
          <li class="card">
            <h2>
              <a href={surface.baseUrl + "/"}>{surface.title}</a>
            </h2>
            <p>{surface.purpose}</p>
            <ul class="links">
              {surface.examples.map(({ path, text }) => (
                <li>
                  <a href={surface.baseUrl + path}>{path}</a> {text}
                </li>
              ))}
            </ul>
          </li>
        ))}
        {config.relays.all.map((relay) => (
          <RelayCard key={relay.name} relay={relay} config={config} />
        ))}
      </ul>
    </section>
  );
}

/** A relay of one's own is named without its slug: that is a secret also here. */
function RelayCard({ relay, config }: { relay: RelayConfig; config: Config }) {
  const address = originOf(relay.host, config);
  return (
    <li class="card">
      <h2>Relay {relay.name}</h2>
      <p>
        A read-only way to a protected origin, at <code>{address}</code>
      </p>
      {config.relays.sandbox && (
        <ul class="links">
          <li>
            <a href={`${address}/${relay.slug}/`}>/{relay.slug}/</a> the protected pages
          </li>
          <li>
            <a href={`${address}/wrong/`}>/wrong/</a> another slug
          </li>
        </ul>
      )}
    </li>
  );
}
