import { choice, position, withDefault } from "../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../platform/listing/list.ts";

/** The names of kinds of alerts for people, by kind. */
export type AlertNames = Readonly<Record<string, string>>;

/** `done`: no action is required any longer. */
export type AlertState = "unread" | "read" | "done";

/** The states to choose from, with their names for people. */
const STATE_FILTERS = {
  open: "Open",
  unread: "New",
  read: "Read",
  done: "Done",
  all: "All",
} as const;

/** A reference to an alert in a URL or form: the key of its row, without the organisation. */
export const ALERT_REF = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z~[\w-]{1,64}$/;

/** The properties of an alert that the filters test. */
interface Tested {
  state: AlertState;
  kind: string;
}

/** Returns the list of the alerts page. */
export const alertListOf = (kinds: AlertNames) =>
  defineList("/console/alerts", {
    state: withDefault(
      choice(STATE_FILTERS, {
        label: "State",
        issue: "Choose a state from the list.",
        test: (chosen) => ({ state }: Tested) =>
          chosen === "all" || (chosen === "open" ? state !== "done" : state === chosen),
      }),
      "open",
    ),
    kind: choice(kinds, {
      label: "Kind",
      any: "All",
      issue: "Choose a kind from the list.",
      test: (chosen) => ({ kind }: Tested) => kind === chosen,
    }),
    after: position((text) => ALERT_REF.test(text) ? text : undefined, {
      issue: "a reference to an alert",
    }),
  });

export type AlertList = ReturnType<typeof alertListOf>;
export type AlertFilters = ReadFilters<AlertList["filters"]>;

/** The alerts to read. Everything that is absent matches. */
export type AlertQuery = Partial<Query<AlertList["filters"]>>;
