import type { Config } from "../../lib/config.ts";
import type { RelayConfig } from "../../lib/relay/mod.ts";
import type { State } from "../../lib/state.ts";
import { originOf } from "../../lib/surfaces/mod.ts";

/** The development start page: every surface with links to try. */
export function WorkbenchHome({ state }: { state: State }) {
  const { surfaces, config, outbox, phone, payments, pushInbox } = state.services;
  const running = {
    outbox: outbox !== null,
    phone: phone.inbox !== null,
    payments: payments.standIn !== null,
    push: pushInbox !== null,
  };
  return (
    <section>
      <p class="eyebrow">Workbench</p>
      <h1>Every surface</h1>
      <p class="lead">
        One process serves all of them, selected by host name. Browsers and curl resolve{" "}
        <code>*.localhost</code> to this machine. For programs that do not, every path also works on
        {" "}
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
              {surface.examples.map(({ path, text, needs }) => (
                (needs === undefined || running[needs]) && (
                  <li>
                    <a href={surface.baseUrl + path}>{path}</a> {text}
                  </li>
                )
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

/** The slug is shown only for the sandbox relay; configured slugs are secret even here. */
function RelayCard({ relay, config }: { relay: RelayConfig; config: Config }) {
  const address = originOf(relay.host, config);
  return (
    <li class="card">
      <h2>Relay {relay.name}</h2>
      <p>
        Read-only access to a protected origin, at <code>{address}</code>
      </p>
      {config.relays.sandbox && (
        <ul class="links">
          <li>
            <a href={`${address}/${relay.slug}/`}>/{relay.slug}/</a> protected pages
          </li>
          <li>
            <a href={`${address}/wrong/`}>/wrong/</a> a wrong slug
          </li>
        </ul>
      )}
    </li>
  );
}
