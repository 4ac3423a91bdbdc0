/** The pages of the consoles in the order of the sidebar, for navigation and search. */
import type { Surface } from "../../platform/surfaces/mod.ts";
import type { Layer } from "../operators/mod.ts";
import type { SearchHit } from "./search_results.ts";

export interface ConsolePage {
  href: string;
  /** The path whose subpages also belong to it, if not `href`. */
  section?: string;
  text: string;
  icon:
    | "dashboard"
    | "inbox"
    | "finance"
    | "payments"
    | "records"
    | "issuers"
    | "alerts"
    | "users"
    | "mail"
    | "team"
    | "infra"
    | "surfaces"
    | "audit";
  /** The lowest layer that may open it. */
  layer: Layer;
  /** Further words by which the search finds it. */
  words?: string;
  /** True if it belongs to the page before it. */
  below?: true;
}

export interface PageGroup {
  title: string;
  pages: readonly ConsolePage[];
}

/** The sidebar of the consoles (spec 4.2.2). A console shows the pages that its surface serves. */
const GROUPS: readonly PageGroup[] = [
  {
    title: "Overview",
    pages: [
      // The other pages are under the dashboard's path, but do not belong to it.
      {
        href: "/console",
        section: "/",
        text: "Dashboard",
        icon: "dashboard",
        layer: "L2",
        words: "home overview treasury balance report",
      },
      {
        href: "/console/inbox",
        text: "Inbox",
        icon: "inbox",
        layer: "L1",
        words: "enquiries replies messages notes contact",
      },
    ],
  },
  {
    title: "Money",
    pages: [
      {
        href: "/console/finance",
        text: "Finance",
        icon: "finance",
        layer: "L1",
        words: "bank accounts transactions treasury balance money spent",
      },
      {
        href: "/console/payments",
        text: "Payments",
        icon: "payments",
        layer: "L1",
        words: "webhook refunds charges received money",
      },
    ],
  },
  {
    title: "Records",
    pages: [
      {
        href: "/console/records",
        text: "Records",
        icon: "records",
        layer: "L2", // counts and charts only
        words: "registrations contacts documents levels",
      },
      {
        href: "/console/issuers",
        text: "Issuers",
        icon: "issuers",
        layer: "L1",
        words: "organisations documents registrar api keys",
      },
      {
        href: "/console/alerts",
        text: "Alerts",
        icon: "alerts",
        layer: "L1",
        words: "requests access failures unread",
      },
      {
        href: "/console/users",
        text: "Users",
        icon: "users",
        layer: "L1",
        words: "accounts sign-in qualification site",
      },
      {
        href: "/console/mail",
        text: "Mail",
        icon: "mail",
        layer: "L1",
        words: "addresses bounced bounces delivery sign-in links spam returned",
      },
    ],
  },
  {
    title: "System",
    pages: [
      {
        href: "/console/infra",
        text: "Infrastructure",
        icon: "infra",
        layer: "L1",
        words: "map nodes probes health store mail relays",
      },
      {
        href: "/console/surfaces",
        below: true,
        text: "Surfaces",
        icon: "surfaces",
        layer: "L1",
        words: "status routes registry hosts jobs",
      },
      {
        href: "/console/team",
        text: "Team",
        icon: "team",
        layer: "L2",
        words: "operators administrators invite sessions passkeys mails emails leave",
      },
      {
        href: "/console/audit",
        text: "Audit log",
        icon: "audit",
        layer: "L1",
        words: "history administrators actions sign-ins who did what changes",
      },
    ],
  },
];

/** Returns the groups of pages that a layer may see on a surface, without empty groups. */
export function consolePages(layer: Layer, { serves }: Surface): PageGroup[] {
  return GROUPS.flatMap(({ title, pages }) => {
    const shown = pages.filter(({ href, layer: needed }) =>
      // Not with `includesLayer`, whose module reads the store: browsers load this file.
      (layer === "L1" || needed === "L2") && serves(href)
    );
    return shown.length === 0 ? [] : [{ title, pages: shown }];
  });
}

/** Returns the pages whose name or further words begin with the words of a text; all for none. */
export function findPages(
  pages: readonly Pick<ConsolePage, "href" | "text" | "words">[],
  text: string,
): SearchHit[] {
  const wanted = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return pages.filter(({ text, words = "" }) => {
    const known = `${text} ${words}`.toLowerCase().split(" ");
    return wanted.every((word) => known.some((each) => each.startsWith(word)));
  }).map(({ href, text }) => ({ href, title: text }));
}
