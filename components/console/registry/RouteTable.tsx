import type { ComponentChildren } from "preact";
import type { RouteState } from "../../../lib/ops/mod.ts";
import { Moment } from "./Moment.tsx";

/** What a table of routes says in one row. */
export interface RouteRow {
  path: string;
  status: RouteState["status"];
  /** Below the path. */
  note?: ComponentChildren;
}

const TONES: Record<RouteState["status"], string> = {
  "LIVE": "good",
  "NOT CONNECTED": "warn",
  "OFF": "",
};

/** Routes, or what else `head` says, with their status. */
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

/** Why a route stands as it does, where there is something to say. */
export function noteOf(state: RouteState): ComponentChildren {
  if ("reason" in state) return state.reason;
  if (!("lastAnswer" in state)) return undefined;
  return state.lastAnswer === null
    ? "The bank has not answered yet."
    : <>The bank’s last answer: {<Moment at={state.lastAnswer} />}.</>;
}
