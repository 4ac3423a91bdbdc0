/** The workbench's guided tour of the product, whose steps are ticked off by what the store contains. */
import type { EventKind } from "../../../packages/proof/mod.ts";
import { readEventCounts } from "../chain/mod.ts";
import type { AuditLog } from "../audit/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";

/** A step of the tour, with whether it was done. */
export interface TourStep {
  id: "register" | "confirm" | "key" | "verify" | "console";
  title: string;
  how: string;
  why: string;
  /** The page to do it on; null if this deployment does not serve it. */
  href: string | null;
  link: string;
  /** True if the store shows that it was done. */
  done: boolean;
}

export interface TourDeps {
  kv: Deno.Kv;
  surfaces: Surfaces;
  audit: AuditLog;
}

const COMPLETED_BY: Partial<Record<TourStep["id"], EventKind>> = {
  register: "hash_generated",
  confirm: "email_confirmed",
  key: "k2_delivered",
  verify: "record_verified",
};

/**
 * Returns the tour. A step is done once its event is in any chain, or once an operator's sign-in is
 * in the audit log, however it was done: in the browser, by a program or by a test.
 */
export async function readTour({ kv, surfaces, audit }: TourDeps): Promise<TourStep[]> {
  const [counts, operated] = await Promise.all([readEventCounts(kv), hasOperated(audit)]);
  return steps(surfaces).map((step) => {
    const kind = COMPLETED_BY[step.id];
    return { ...step, done: kind === undefined ? operated : counts[kind] > 0 };
  });
}

const ORGANISATIONS: readonly OrganisationKey[] = ["commercial", "foundation"];

/** Every entry was caused by an operator, who was signed in. */
async function hasOperated(audit: TourDeps["audit"]): Promise<boolean> {
  const pages = await Promise.all(ORGANISATIONS.map((each) => audit.list(each, {})));
  return pages.some(({ entries }) => entries.length > 0);
}

const steps = (surfaces: Surfaces): Omit<TourStep, "done">[] => [
  {
    id: "register",
    title: "Register a record",
    how: "Send the contact form. Any name and address will do; add a mobile number for step 3.",
    why: "The enquiry becomes a record: a salted hash, a chain of events and a signed head.",
    href: surfaces.url("commercial", "/contact"),
    link: "Open the contact form",
  },
  {
    id: "confirm",
    title: "Confirm the address",
    how:
      "Open the newest email in the outbox, follow its link and confirm. You are then signed in.",
    why: "The chain gains an event that says that the address was confirmed, but not which one.",
    href: surfaces.url("workbench", "/dev/outbox"),
    link: "Open the outbox",
  },
  {
    id: "key",
    title: "Get the record's key",
    how: "Under “My record”, say what the record is for. Then add a passkey, or confirm the " +
      "number with the code from the phone inbox, and create the key.",
    why: "Trust levels rise with evidence. Level 3 gives the holder a key to show to others.",
    href: surfaces.url("trust", "/my-record"),
    link: "Open “My record”",
  },
  {
    id: "verify",
    title: "Verify it as a stranger",
    how: "Copy the key's address and open it in a private window.",
    why: "The stranger's browser checks every hash and signature itself. No account is needed.",
    href: surfaces.url("trust", "/k"),
    link: "Open the key service",
  },
  {
    id: "console",
    title: "Look at it as an administrator",
    how: "Sign in to the console as admin@example.org, with a link from the outbox.",
    why: "Administrators check identities, add documents and see who asked for access.",
    href: surfaces.url("commercial-console", "/console/records"),
    link: "Open the console",
  },
];
