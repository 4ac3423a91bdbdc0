import type { Manifest } from "../../lib/mcp/mod.ts";
import { VECTORS } from "../../lib/standard/vectors.ts";

const CARD = { width: 148, height: 92, gap: 28 };

/**
 * A figure of a record's chain: the standard's first test vector that has a head, with the first
 * digits of its hashes. Each box starts with the hash at the end of the previous one.
 */
export function ChainFigure() {
  const index = VECTORS.valid.findIndex(({ head }) => head !== undefined);
  const { recordHash, events } = VECTORS.valid[index];
  const boxes = [
    { title: "record", from: "salt + data", to: short(recordHash) },
    ...events.map(({ event, prev, hash }) => ({
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
        Test vector {index + 1} of the standard: a salted commitment, {events.length}{" "}
        events and one signed head. Change a byte anywhere, and a verifier names the first event
        that no longer fits.
      </figcaption>
    </figure>
  );
}

const short = (hash: string): string => hash.slice(0, 8) + "…";

export function AgentFigure({ manifest }: { manifest: Manifest }) {
  const steps = [
    { title: "Any page", text: "says where the server is", code: `Link: rel="mcp-server"` },
    {
      title: "Server card",
      text: "says what it can do",
      code: "/.well-known/mcp/server-card.json",
    },
    { title: "Handshake", text: "agrees on a revision", code: manifest.protocolVersion },
    { title: "Tools", text: "return real data", code: "read · search · verify" },
  ];
  return (
    <ol class="way" aria-label="How an agent finds the tools">
      {steps.map(({ title, text, code }) => (
        <li>
          <strong>{title}</strong>
          <span>{text}</span>
          <code>{code}</code>
        </li>
      ))}
    </ol>
  );
}
