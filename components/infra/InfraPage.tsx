import {
  countedNodes,
  type InfraMap,
  type InfraNode,
  type NodeState,
} from "../../lib/features/infra/mod.ts";
import { formatAge, formatClock, plural } from "../../lib/base/time.ts";
import { type HealthProps, HealthSections } from "./HealthSections.tsx";
import { InfraDiagram } from "./InfraDiagram.tsx";
import { STATE_TEXTS, StateLabel } from "./StateLabel.tsx";

/** Problems come first, parts that are not configured last. */
const ORDER: NodeState[] = ["down", "slow", "checking", "up", "configured", "off"];

/** The health of the deployment: its services, its machine, queues and jobs, and then a diagram. */
export function InfraPage(
  { map, now, ...health }: { map: InfraMap; now: number } & Omit<HealthProps, "now">,
) {
  const nodes = map.nodes.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  return (
    <>
      <h1>Infrastructure</h1>
      <p class="lead">
        Shows whether each part of this deployment works. Services are checked again when somebody
        looks, at most every 30 seconds.
      </p>
      <h2 class="part-title">Services</h2>
      <Summary nodes={nodes} />
      <table class="stacked infra-table full-width flush">
        <caption class="visually-hidden">Parts and their states</caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">State</th>
            <th scope="col">Last check</th>
            <th scope="col">Latency</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => <Row key={node.id} node={node} now={now} />)}
        </tbody>
      </table>
      <HealthSections {...health} now={now} />
      <h2 class="part-title" id="diagram">Diagram</h2>
      <InfraDiagram map={map} />
    </>
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
        <td class="infra-when">
          <time datetime={checked_at} title={formatClock(checked_at)}>
            {formatAge(now - Date.parse(checked_at))}
          </time>
        </td>
      )}
      {latency_ms === null ? <Unknown text="No latency" /> : <td>{latency_ms} ms</td>}
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
