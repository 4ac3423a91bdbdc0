/** This month's money in, out and net on the finance page, and notes for missing or old figures. */
import { Ago } from "../Ago.tsx";
import type { Freshness, MonthTiles as Tiles } from "../../lib/features/bank/console/dashboard.ts";
import { flowPath } from "../../lib/features/bank/console/flow_path.ts";
import { dollars, errorMessage, signed } from "../../lib/features/bank/console/labels.ts";
import type { MonthFlow } from "../../lib/features/bank/console/month_flow.ts";
import { formatClock, formatDay } from "../../lib/base/time.ts";
import { Skeleton } from "../console_parts.tsx";

/** Says how old a card's figures are; shows nothing if they are current. */
export function StaleNote({ freshness, now }: { freshness: Freshness; now: string }) {
  const { state, error, readAt } = freshness;
  if (state !== "stale") return null;
  return (
    <p class="muted text-small">
      {readAt !== null && (
        <>
          <span class="pill warn">Stale</span> As of <Ago time={readAt} now={now} />.
        </>
      )} {error !== undefined && errorMessage(error)}
    </p>
  );
}

/** A section whose figures the bank has not sent yet. */
export function SlowBank({ title }: { title: string }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <Skeleton />
      <p class="note">The bank is slow to respond.</p>
    </section>
  );
}

/** Why sums are not shown, as the end of a sentence. */
export const TOO_MANY = "there are too many transactions to read at once";

/** Money in, out and net this month, compared with the same days of the month before. */
export function MonthTiles({ flow, now }: { flow: Tiles; now: string }) {
  if (flow.months === null) {
    if (flow.error === "slow") return <SlowBank title="This month" />;
    return (
      <section class="card" aria-labelledby="month-title">
        <h2 id="month-title">This month</h2>
        <p class="note">
          In, out and net are unavailable
          {flow.error === undefined ? `, because ${TOO_MANY}.` : `. ${errorMessage(flow.error)}`}
        </p>
      </section>
    );
  }
  const { months } = flow;
  return (
    <section class="dash-flow" aria-labelledby="month-title">
      <h2 id="month-title">
        This month <small>{spanOf(months.current)}, without transfers between own accounts</small>
      </h2>
      <ul class="plain stack gap-4 above-3">
        {TILES.map(([part, label]) => <Tile key={part} {...{ part, label, months }} />)}
      </ul>
      <p class="muted text-small screen-only">
        Choose an amount to see its transactions. {flow.state === "live" && flow.readAt !== null &&
          `Those posted after ${formatClock(flow.readAt)} are not in the sums yet.`}
      </p>
      <StaleNote freshness={flow} now={now} />
    </section>
  );
}

const TILES = [["in", "In"], ["out", "Out"], ["net", "Net"]] as const;

function Tile({ part, label, months: { current, previous } }: {
  part: typeof TILES[number][0];
  label: string;
  months: MonthFlow;
}) {
  const amount = current.flow[part];
  const before = previous?.flow[part];
  const share = before === undefined || before === 0 || part === "net"
    ? null
    : Math.trunc((amount - before) / before * 1_000) / 10;
  const sum = (sum: number, start: string, end: string) => (
    <FlowLink {...{ part, start, end }}>{(part === "net" ? signed : dollars)(sum)}</FlowLink>
  );
  return (
    <li class="card gap-1">
      <span class="label">{label}</span>
      <span class={part !== "out" && amount > 0 ? "figure into" : "figure"}>
        {sum(amount, current.first, current.last)}
      </span>
      {previous === null ? <small>Last month is not known yet.</small> : (
        <>
          <small>
            {spanOf(previous)}:{" "}
            <span class="mono">{sum(before!, previous.first, previous.last)}</span>
            {share !== null && Math.abs(share) < 1_000 && (
              <span class="share">now {Math.abs(share)}% {share < 0 ? "less" : "more"}</span>
            )}
          </small>
          {previous.month[part] !== before && (
            <small>
              {formatDay(previous.first, "monthName")}:{" "}
              <span class="mono">{sum(previous.month[part], previous.first, previous.end)}</span>
            </small>
          )}
        </>
      )}
    </li>
  );
}

/** Leads to the transactions behind a sum. */
function FlowLink({ part, start, end, children }: {
  part: typeof TILES[number][0];
  start: string;
  end: string;
  children: string;
}) {
  const direction = part === "net" ? {} : { direction: part };
  return (
    <a
      class="quiet-link"
      href={flowPath({ start, end, ...direction })}
      title="Show the transactions"
    >
      {children}
    </a>
  );
}

/** Returns days of one month: `1 Mar` or `1 Mar – 15 Mar`. */
function spanOf({ first, last }: { first: string; last: string }): string {
  const [start, end] = [first, last].map((day) => formatDay(day, "shortDay"));
  return start === end ? start : `${start} – ${end}`;
}
