/** The console's infrastructure page, which puts its verdict, tables and diagram together. */
import { Fragment } from "preact";
import {
  countedNodes,
  type InfraMap,
  type InfraNode,
  type NodeState,
  type Reading,
} from "../../lib/features/infra/mod.ts";
import { formatAge, formatClock, plural } from "../../lib/base/time.ts";
import { type HealthProps, HealthSections } from "./HealthSections.tsx";
import type { SecretState } from "../../lib/platform/secret_states.ts";
import type { WorkState } from "../../lib/platform/store/mod.ts";
import { InfraDiagram } from "./InfraDiagram.tsx";
import { STATE_TEXTS, StateLabel } from "./StateLabel.tsx";
import { StoreWorkSection } from "./StoreWorkSection.tsx";

/** Problems come first, parts that are not configured last. */
const ORDER: NodeState[] = ["down", "slow", "checking", "up", "configured", "off"];

/** The health of the deployment: its services, its machine, queues and jobs, and then a diagram. */
export function InfraPage(
  { map, work, secrets, now, ...health }:
    & { map: InfraMap; work: WorkState; secrets: readonly SecretState[]; now: number }
    & Omit<HealthProps, "now">,
) {
  const nodes = map.nodes.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const services = nodes.filter((node) => !isAddress(node));
  return (
    <>
      <h1>Infrastructure</h1>
      <p class="lead">
        Whether each part of this site works. Opening this page checks the services again, at most
        once every 30 seconds.
      </p>
      <Verdict nodes={nodes} readings={health.health?.readings ?? []} />
      <h2 class="part-title">Services</h2>
      <Summary nodes={services} />
      <table class="stacked infra-table full-width flush">
        <caption class="visually-hidden">Parts and their states</caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">State</th>
            <th scope="col">Last check</th>
            <th scope="col">Response time</th>
          </tr>
        </thead>
        <tbody>
          {services.map((node) => <Row key={node.id} node={node} now={now} />)}
        </tbody>
      </table>
      <h2 class="part-title" id="addresses">Addresses</h2>
      <p class="note">
        The websites and other surfaces of this organisation. The site cannot check whether they can
        be reached from elsewhere.
      </p>
      <dl class="facts">
        {nodes.filter(isAddress).map(({ id, group, name, host, state, detail }) => (
          <Fragment key={id}>
            <dt>{group === "relays" ? `Relay ${name}` : name}</dt>
            <dd class="anywhere">
              {host ?? detail}
              {state === "off" && host === undefined && " It is off."}
            </dd>
          </Fragment>
        ))}
      </dl>
      <HealthSections {...health} now={now} />
      <StoreWorkSection work={work} secrets={secrets} now={now} />
      <h2 class="part-title" id="diagram">Diagram</h2>
      <InfraDiagram map={map} />
    </>
  );
}

const isAddress = ({ group }: InfraNode) => group === "surfaces" || group === "relays";

/** The answer to the page's question: what does not work, in one sentence. */
function Verdict({ nodes, readings }: { nodes: InfraNode[]; readings: readonly Reading[] }) {
  const wrong = new Set([
    ...nodes.filter(({ state }) => state === "down").map(({ name }) => name),
    // Services are in the table with their current state.
    ...readings.filter(({ kind, state }) => kind !== "service_down" && state === "bad")
      .map(({ name }) => name),
  ]);
  return (
    <p class="infra-verdict" role="status">
      {wrong.size === 0 ? <StateLabel state="up" text="No problem was found." /> : (
        <StateLabel
          state="down"
          text={`${plural(wrong.size, "problem")}: ${[...wrong].join(", ")}.`}
        />
      )}
    </p>
  );
}

function Summary({ nodes }: { nodes: InfraNode[] }) {
  const count = (state: NodeState) =>
    countedNodes(nodes).filter((node) => node.state === state).length;
  const states = ORDER.filter((state) => count(state) > 0);
  return (
    <p class="wrap gap-2-5 text-small">
      {states.map((state) => (
        <span key={state}>
          <StateLabel state={state} text={`${count(state)} ${STATE_TEXTS[state].toLowerCase()}`} />
        </span>
      ))}
      {count("checking") > 0 && (
        <span>
          <a href="/console/infra">Reload</a> for the results of the first{" "}
          {plural(count("checking"), "check")}.
        </span>
      )}
    </p>
  );
}

function Row({ node, now }: { node: InfraNode; now: number }) {
  const { name, role, state, checked_at, latency_ms, detail, host } = node;
  return (
    <tr>
      <th scope="row">
        {name}
        <small class="block">{host ?? role}</small>
      </th>
      <td class="infra-state">
        <StateLabel state={state} />
        {detail !== undefined && <small class="block">{detail}</small>}
      </td>
      {checked_at === null ? <Unknown text="Not checked" /> : (
        <td class="infra-when nowrap">
          <time datetime={checked_at} title={formatClock(checked_at)}>
            {formatAge(now - Date.parse(checked_at))}
          </time>
        </td>
      )}
      {latency_ms === null ? <Unknown text="No response time" /> : <td>{latency_ms} ms</td>}
    </tr>
  );
}

/** A cell without a value, which is left out on phones. */
const Unknown = ({ text }: { text: string }) => (
  <td class="infra-none">
    <span class="visually-hidden">{text}</span>
    <span aria-hidden="true">–</span>
  </td>
);
