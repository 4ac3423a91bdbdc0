import { VECTORS } from "../../lib/standard/vectors.ts";

const CARD = { width: 148, height: 92, gap: 28 };

/**
 * A record's chain as a figure: the standard's own test vector of three events, with the beginnings
 * of its real hashes. Each event's box begins with the hash that the box before it ends with.
 */
export function ChainFigure() {
  const vector = VECTORS.valid.find(({ head }) => head !== undefined)!;
  const boxes = [
    { title: "record", from: "salt + data", to: short(vector.recordHash) },
    ...vector.events.map(({ event, prev, hash }) => ({
      title: event.kind,
      from: short(prev),
      to: short(hash),
    })),
  ];
  const width = boxes.length * (CARD.width + CARD.gap) + 96;
  return (
    <figure class="figure">
      <div class="figure-scroll" role="group" aria-label="A record's chain" tabindex={0}>
        <svg
          class="chain-figure"
          viewBox={`0 0 ${width} 132`}
          width={width}
          height="132"
          aria-hidden="true"
        >
          {boxes.map(({ title, from, to }, i) => {
            const x = 1 + i * (CARD.width + CARD.gap);
            return (
              <g>
                <rect class="box" x={x} y="20" width={CARD.width} height={CARD.height} rx="8" />
                <text class="label" x={x} y="11">{i === 0 ? "commitment" : `seq ${i - 1}`}</text>
                <text class="name" x={x + 12} y="45">{title}</text>
                <text class="from" x={x + 12} y="72">{from}</text>
                <text class="to" x={x + 12} y="96">→ {to}</text>
                <path
                  class="link"
                  d={`M${x + CARD.width + 3} 92 C ${x + CARD.width + 20} 92 ${
                    x + CARD.width + 8
                  } 68 ${x + CARD.width + CARD.gap - 4} 68`}
                />
              </g>
            );
          })}
          <g>
            <circle class="seal" cx={width - 50} cy="66" r="40" />
            <text class="seal-text" x={width - 50} y="62">head</text>
            <text class="seal-text small" x={width - 50} y="80">Ed25519</text>
          </g>
        </svg>
      </div>
      <figcaption>
        The standard's second test vector: a salted commitment, three events, one signed head.
        Change a byte anywhere, and the first event that no longer fits is named.
      </figcaption>
    </figure>
  );
}

function short(hash: string): string {
  return hash.slice(0, 8) + "…";
}
