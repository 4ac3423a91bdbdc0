import { z } from "zod";
import { ALERT_STATES, type AlertNames, type AlertQuery } from "../alerts/mod.ts";
import { alertCursorSchema } from "../alerts/mod.ts";

/** The states to choose from, with their names for people. */
export const STATE_FILTERS = {
  open: "Open",
  unread: "New",
  read: "Read",
  done: "Done",
  all: "All",
} as const;

/** The query string of the alerts page. An empty field is a filter that is not used. */
export const alertFiltersSchema = (kinds: AlertNames) =>
  z.object({
    state: z.enum(["open", "all", ...ALERT_STATES], "Choose a state from the list.").default(
      "open",
    ),
    kind: z.union([
      z.literal("").transform(() => undefined),
      z.enum(Object.keys(kinds), "Choose a kind from the list."),
    ]).optional(),
    after: alertCursorSchema.optional(),
  });
export type AlertFilters = z.infer<ReturnType<typeof alertFiltersSchema>>;

export const alertQuery = ({ state, kind, after }: AlertFilters): AlertQuery => ({
  state: state === "all" ? undefined : state,
  kind,
  cursor: after,
});

/** Returns the URL of the alerts page with filters. `after` replaces the page. */
export function alertsPath(
  { state, kind, after }: AlertFilters,
  change: { after?: string | null } = {},
): string {
  const params = new URLSearchParams();
  if (state !== "open") params.set("state", state);
  if (kind !== undefined) params.set("kind", kind);
  const cursor = change.after === undefined ? after : change.after;
  if (cursor) params.set("after", cursor);
  return params.size === 0 ? "/console/alerts" : `/console/alerts?${params}`;
}
