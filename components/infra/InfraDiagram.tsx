/** The diagram of the site's parts and their connections, as SVG on the infrastructure page. */
import { type Box, type InfraMap, layOut } from "../../lib/features/infra/mod.ts";
import { STATE_TEXTS, StateMark } from "./StateLabel.tsx";

/** The map as a picture, which scrolls sideways where it does not fit. */
export function InfraDiagram({ map }: { map: InfraMap }) {
  const { width, height, boxes, lines } = layOut(map);
  return (
    <div
      class="infra-diagram pad-4 soft-framed round raised"
      role="region"
      aria-labelledby="diagram"
      tabindex={0}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={descriptionOf(map)}
      >
        {lines.map(({ to, path }) => <path key={path} class={`infra-line ${to.state}`} d={path} />)}
        {boxes.map((box) => <InfraBox key={box.node.id} box={box} />)}
      </svg>
    </div>
  );
}

function InfraBox({ box: { node, x, y, width, height, label } }: { box: Box }) {
  const { name, state, latency_ms } = node;
  return (
    <g class={`infra-box ${state}`} role="img" aria-label={name}>
      <rect x={x} y={y} width={width} height={height} rx="6" />
      <StateMark state={state} x={x + 12} y={y + 12} />
      <text class="infra-name" x={x + 30} y={y + 21}>{label}</text>
      <text class="infra-note digits" x={x + 30} y={y + 37}>
        {STATE_TEXTS[state]}
        {latency_ms !== null && `, ${latency_ms} ms`}
      </text>
    </g>
  );
}

/** Describes the picture for people who do not see it. */
function descriptionOf({ nodes, edges }: InfraMap): string {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const sentences = nodes.flatMap(({ id, name }) => {
    const to = edges.filter(({ from }) => from === id).map((edge) => names.get(edge.to));
    return to.length === 0 ? [] : [`${name} uses ${to.join(", ")}.`];
  });
  return `Diagram of the parts in the table above. ${sentences.join(" ")}`;
}
