import type { ComponentChildren } from "preact";
import type { RouteState } from "../../lib/console/registry.ts";
import { formatDateTime } from "../../lib/time.ts";

export interface RouteRow {
  path: string;
  status: RouteState["status"];
  /** Shown below the path. */
  note?: ComponentChildren;
}

const TONES: Record<RouteState["status"], string> = {
  "LIVE": "good",
  "NOT CONNECTED": "warn",
  "OFF": "",
};

/** Routes with their status. `head` names the first column. */
export function RouteTable(
  { label, head = "Route", rows }: { label: string; head?: string; rows: RouteRow[] },
) {
  return (
    <table class="registry-routes">
      <caption class="visually-hidden">{label}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, status, note }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
              {note && <small>{note}</small>}
            </th>
            <td>
              <span class={`pill ${TONES[status]}`}>{status}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns a note that explains a route's state, if there is anything to explain. */
export function noteOf(state: RouteState): ComponentChildren {
  if ("reason" in state) return state.reason;
  if (!("lastResponse" in state)) return undefined;
  return state.lastResponse === null
    ? "No response from the bank yet."
    : <>Last response from the bank: {<Moment at={state.lastResponse} />}.</>;
}

/** A date and time in UTC. */
export const Moment = ({ at }: { at: string }) => <time datetime={at}>{formatDateTime(at)}</time>;
