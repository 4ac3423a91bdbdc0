import type { ComponentChildren } from "preact";
import { linkedEventSchema } from "../../lib/chain/mod.ts";

/** How an event stands in the light of a verification. */
export type Mark = "signed" | "linked" | "bad" | "unknown";

const MARKS: Record<Mark, [sign: string, words: string]> = {
  signed: ["✓", "verified and signed"],
  linked: ["✓", "verified, not signed yet"],
  bad: ["✗", "the first bad event"],
  unknown: ["·", "not verified"],
};

export interface EventTableProps {
  caption: ComponentChildren;
  /** Newest first: each with its place in the chain. Of any form, for a chain may be broken. */
  rows: { place: number; event: unknown; mark: Mark }[];
}

/** Events of a chain, with what a verification has found of each. */
export function EventTable({ caption, rows }: EventTableProps) {
  return (
    <table class="table chain-events">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Verified</span>
          </th>
          <th scope="col">seq</th>
          <th scope="col">Event</th>
          <th scope="col">Hash</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ place, event, mark }) => <Row key={place} {...{ place, event, mark }} />)}
      </tbody>
    </table>
  );
}

function Row({ place, event, mark }: EventTableProps["rows"][number]) {
  const [sign, words] = MARKS[mark];
  const { kind, at, hash } = linkedEventSchema.safeParse(event).data ??
    { kind: "malformed", at: "", hash: "" };
  return (
    <tr class={`mark-${mark}`}>
      <td>
        <span class="mark" title={words} aria-hidden="true">{sign}</span>
        <span class="visually-hidden">{words}</span>
      </td>
      <td class="mono">{place}</td>
      <td>
        <div class="event-what">
          <span class="event-kind mono">{kind}</span>
          <time class="mono" datetime={at || undefined}>{at.replace("T", " ")}</time>
        </div>
      </td>
      <td class="mono">
        <span class="event-hash">{hash}</span>
      </td>
    </tr>
  );
}
