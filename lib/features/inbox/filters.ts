import { atRow, choice, period, withDefault } from "../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../platform/listing/list.ts";
import type { StoredContact } from "../contact/mod.ts";
import { recordOrder, recordSearch, recordType } from "../records/mod.ts";
import { STATES } from "./states.ts";

/** The properties of an enquiry that the filters test. */
interface Tested {
  contact: StoredContact;
}

/** The lists of the inbox, in the order of their links. */
export const VIEWS = { waiting: "Waiting", ...STATES, all: "All" } as const;

export type View = keyof typeof VIEWS;

/** The enquiries. Filters that the index and the operators decide have no test here. */
export const inboxList = defineList("/console/inbox", {
  text: recordSearch("Name, organisation, email or hash"),
  state: withDefault(
    choice(VIEWS, { label: "State", issue: "Choose a state from the list." }),
    "waiting",
  ),
  owner: choice({ mine: "Mine", none: "Nobody" }, {
    label: "Owner",
    any: "Anybody",
    issue: "Choose an owner from the list.",
  }),
  type: recordType,
  ...period(),
  sort: recordOrder,
  after: atRow("This page does not exist."),
});

export type InboxQuery = Query<typeof inboxList.filters>;
export type InboxFilters = ReadFilters<typeof inboxList.filters>;
