/** The filters of the list `/console/alerts`. */
import { atRow, choice, withDefault } from "../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../platform/listing/list.ts";
import type { Alert } from "./store.ts";

/** The names of kinds of alerts for people, by kind. */
export type AlertNames = Readonly<Record<string, string>>;

/** The states to choose from, with their names for people: an alert that nobody has read is “New”. */
const STATE_FILTERS = {
  open: "Open",
  unread: "New",
  read: "Read",
  done: "Done",
  all: "All",
} as const;

/** The properties of an alert that the filters test. */
type Tested = Pick<Alert, "state" | "kind">;

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
    after: atRow("a reference to an alert"),
  });

export type AlertList = ReturnType<typeof alertListOf>;
export type AlertFilters = ReadFilters<AlertList["filters"]>;

/** The alerts to read. Everything that is absent matches. */
export type AlertQuery = Partial<Query<AlertList["filters"]>>;
