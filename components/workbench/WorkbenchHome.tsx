/** The home page of the workbench, which exists only in development. */
import { asset, Head } from "fresh/runtime";
import type { State } from "../../lib/app/state.ts";
import {
  groupSurfaces,
  type InboxCounts,
  PURPOSES,
  type WorkbenchView,
} from "../../lib/features/workbench/mod.ts";
import { LivePage } from "./LivePage.tsx";
import { Relay } from "./Relay.tsx";
import { SurfaceCard } from "./SurfaceCard.tsx";
import { Tour } from "./Tour.tsx";

/** The development start page: the tour, the inboxes, and every surface with links to try. */
export function WorkbenchHome({ state, view }: { state: State; view: WorkbenchView }) {
  const { surfaces, config, devOutbox, phone, payments, pushInbox } = state.services;
  const running = {
    outbox: devOutbox !== null,
    phone: phone.inbox !== null,
    payments: payments.standIn !== null,
    push: pushInbox !== null,
  };
  return (
    <div class="workbench">
      <Head>
        <title>Workbench</title>
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/workbench.css")} />
      </Head>
      <header class="measure-wide below-6">
        <p class="eyebrow">Workbench</p>
        <h1>A record, from its first byte to a stranger's check</h1>
        <p class="lead">
          A tour of everything that this process serves. Each step gets a tick when you have done
          it.
        </p>
      </header>
      <LivePage of="tour" version={view.version} note="The workbench has changed." />
      <div class="workbench-start stack gap-6 top" data-live="">
        <Tour steps={view.tour} />
        <aside class="workbench-side" aria-label="Stand-ins">
          <Inboxes counts={view.counts} />
          <OtherPages state={state} running={running} />
          {config.relays.all.length > 0 && (
            <section aria-labelledby="relays-title">
              <h2 id="relays-title">Relays</h2>
              {config.relays.all.map((relay) => (
                <Relay key={relay.name} relay={relay} config={config} />
              ))}
            </section>
          )}
        </aside>
      </div>
      {groupSurfaces(surfaces).map(({ organisation, purposes }) => (
        <section
          key={organisation}
          class="surface-group"
          aria-labelledby={`${organisation}-title`}
        >
          <h2 id={`${organisation}-title`}>{config.organisations[organisation].name}</h2>
          <div class="surface-columns stack pad-top-5">
            {purposes.map(({ purpose, surfaces }) => (
              <div key={purpose} class="surface-purpose">
                <h3 class="below-3 muted text-small">{PURPOSES[purpose]}</h3>
                <ul class="plain stack gap-4">
                  {surfaces.map((surface) => (
                    <SurfaceCard key={surface.name} surface={surface} running={running} />
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </section>
      ))}
      <p class="muted workbench-note text-small">
        One process serves all of them, selected by host name. Browsers and curl resolve{" "}
        <code>*.localhost</code> to this machine. For programs that do not, every path also works on
        {" "}
        <code>localhost</code>, as the commercial organisation.
      </p>
    </div>
  );
}

const INBOXES = [
  { key: "mail", path: "/dev/outbox", text: "Mail" },
  { key: "phone", path: "/dev/phone", text: "Text messages and calls" },
  { key: "push", path: "/dev/push", text: "Notifications" },
  { key: "webhooks", path: "/dev/webhooks", text: "Events for webhooks" },
] as const;

function Inboxes({ counts }: { counts: InboxCounts }) {
  const running = INBOXES.filter(({ key }) => counts[key] !== null);
  if (running.length === 0) return null;
  return (
    <section aria-labelledby="inboxes-title">
      <h2 id="inboxes-title">Inboxes</h2>
      <p class="muted below-2 text-small">Nothing leaves this machine.</p>
      <ul class="workbench-inboxes">
        {running.map(({ key, path, text }) => (
          <li class="flex gap-3 baseline apart" key={key}>
            <a id={`to-${key}`} href={path}>{text}</a>
            <span class="inbox-count muted">
              {counts[key]}
              <span class="visually-hidden">{counts[key] === 1 ? " message" : " messages"}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const IN_INBOXES: readonly string[] = INBOXES.map(({ path }) => path);

/** The links of the workbench's own row. */
function OtherPages({ state, running }: { state: State; running: Record<string, boolean> }) {
  const { examples } = state.surface;
  return (
    <section aria-labelledby="here-title">
      <h2 id="here-title">On this host</h2>
      <ul class="surface-links text-small">
        {examples.map(({ path, text, needs }) => (
          (needs === undefined || running[needs]) && !IN_INBOXES.includes(path) && (
            <li key={path}>
              <a id={`here-${path}`} href={path}>{text}</a> <code class="muted">{path}</code>
            </li>
          )
        ))}
      </ul>
    </section>
  );
}
