/** The public status page of the commercial site, with one row for each service. */
import { PageHead } from "../PageHead.tsx";
import type { PublicState, PublicStatus } from "../../lib/features/infra/mod.ts";
import { formatClock } from "../../lib/base/time.ts";
import { VERSION } from "../../lib/platform/config/release.ts";

const HEADINGS: Record<PublicState, string> = {
  up: "All services respond",
  slow: "Some services are slow",
  down: "Some services do not respond",
  checking: "The services are being checked",
};

const STATES: Record<PublicState, string> = {
  up: "Responds",
  slow: "Slow",
  down: "Does not respond",
  checking: "Being checked",
};

/** Shapes of 16 by 16, which differ without their colours. */
const MARKS: Record<PublicState, string> = {
  up: "M3.5 8.500l3 3 6-7",
  slow: "M8 3.500v6M8 12.500v.010",
  down: "M4 4l8 8M12 4l-8 8",
  checking: "M4 8h.010M8 8h.010M12 8h.010",
};

/** `/status`: whether the services that visitors depend on respond. */
export function StatusPage({ status, name }: { status: PublicStatus; name: string }) {
  const { state, services, checkedAt } = status;
  const title = `Status of ${name}`;
  const description = "Whether records, signatures, sign-in and email respond right now.";
  return (
    <article class="statement">
      <PageHead title={title} description={description} styles="commercial_page" />
      <header class="statement-head">
        <p class="eyebrow">Status</p>
        <h1 class={`status-heading cluster ${state}`}>
          <Mark state={state} />
          {HEADINGS[state]}
        </h1>
        <p class="lead flush">
          {checkedAt === null ? <>Reload the page for the results of the first checks.</> : (
            <>
              Checked at <time datetime={checkedAt}>{formatClock(checkedAt)}</time>.
            </>
          )}
        </p>
      </header>
      <ul class="status-list below-5 soft-framed round on-card shadowed">
        {services.map((service) => (
          <li class="cluster wraps apart gap-2-5 pad-4-5" key={service.name}>
            <div>
              <h2 class="flush">{service.name}</h2>
              <p class="flush muted text-medium">{service.purpose}</p>
            </div>
            <span class={`status-state middle ${service.state}`}>
              <Mark state={service.state} />
              {STATES[service.state]}
            </span>
          </li>
        ))}
      </ul>
      <p class="status-note flush muted text-medium">
        Each service is checked when somebody looks, at most once every 30 seconds. This page is
        served by the same process, so if you can read it, the pages and the API respond. It shows
        only the current state, without a history. The site runs Gatehouse {VERSION}.
      </p>
    </article>
  );
}

const Mark = ({ state }: { state: PublicState }) => (
  <svg class="status-mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={MARKS[state]} />
  </svg>
);
