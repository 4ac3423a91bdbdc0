/**
 * The data for the page of alerts: a page of the list, groups of equal alerts, and the names of what they are about.
 */
import {
  type Access,
  ACCESS_REQUESTED,
  type AccessRequest,
} from "../../lib/features/documents/mod.ts";
import type { Payment, Payments } from "../../lib/features/payments/mod.ts";
import type { Auth } from "../../lib/features/auth/mod.ts";
import type { Records } from "../../lib/features/records/mod.ts";
import type { Mailer } from "../../lib/platform/mail/mod.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import type { RowPosition } from "../../lib/platform/listing/pages.ts";
import type {
  Alert,
  AlertLinks,
  AlertNames,
  AlertQuery,
  Alerts,
} from "../../lib/features/alerts/mod.ts";
import { findLost } from "../../lib/features/alerts/lost_mail.ts";

/** The objects that alerts name, as they are now. Deleted objects are absent. */
export interface NamedObjects {
  kinds: AlertNames;
  requests: ReadonlyMap<string, AccessRequest>;
  payments: ReadonlyMap<string, Payment>;
  /** The names of the holders of records that have a page, by the record's hash. */
  records: ReadonlyMap<string, string>;
  /** The users that have a page. */
  users: ReadonlySet<number>;
  /** The mails that can be sent again. */
  mails: ReadonlySet<string>;
}

/** The alerts of a page. */
export interface AlertPage {
  /** Those that need a decision; only on the first page of the open ones of all kinds. */
  decisions: readonly Alert[];
  alerts: readonly Alert[];
  /** Continues the list; null at its end. */
  next: RowPosition | null;
}

/** Reads a page of alerts. On those of all open ones, the decisions come first, whatever was reported since. */
export async function readAlertPage(
  { list }: Pick<Alerts, "list">,
  organisation: OrganisationKey,
  query: AlertQuery,
): Promise<AlertPage> {
  if (query.state !== "open" || query.kind !== undefined) {
    return { decisions: [], ...await list(organisation, query) };
  }
  const [decisions, others] = await Promise.all([
    query.after === undefined ? list(organisation, { ...query, kind: ACCESS_REQUESTED }) : null,
    list(organisation, { ...query, except: ACCESS_REQUESTED }),
  ]);
  return { decisions: decisions?.alerts ?? [], ...others };
}

/** Alerts of one kind and state, of which a page shows one row. */
export interface AlertGroup {
  kind: string;
  state: Alert["state"];
  alerts: readonly [Alert, ...Alert[]];
}

/** Puts equal alerts together, at the place of the newest one. */
export function groupAlerts(alerts: readonly Alert[]): AlertGroup[] {
  const groups = Map.groupBy(alerts, ({ kind, state }) => `${kind} ${state}`);
  return Array.from(groups.values(), ([first, ...others]) => ({
    kind: first.kind,
    state: first.state,
    alerts: [first, ...others],
  }));
}

/** The services whose objects alerts name. */
export interface NamedServices {
  access: Access;
  alerts: Alerts;
  auth: Auth;
  mailer: Mailer;
  payments: Payments;
  records: Records;
}

/** Reads the objects that an organisation's alerts name. */
export async function readNamedObjects(
  { access, alerts: { kinds }, auth, mailer, payments, records }: NamedServices,
  organisation: OrganisationKey,
  alerts: readonly Alert[],
): Promise<NamedObjects> {
  const links = alerts.flatMap(({ reports }) => reports.map(({ links }) => links));
  const named = <Kind extends keyof AlertLinks>(
    kind: Kind,
  ) => [...new Set(links.map((link) => link[kind]).filter((id) => id !== undefined))];
  const [requests, found, hashes, users, mails] = await Promise.all([
    readAll(named("request"), (id) => access.readOf(organisation, id)),
    readAll(named("payment"), (id) => payments.read(organisation, id)),
    readAll(named("record"), (hash) => records.readOf(organisation, hash)),
    readAll(named("user"), (id) => auth.readUser(id)),
    findLost(mailer, named("mail")),
  ]);
  return {
    kinds,
    requests,
    payments: found,
    records: new Map([...hashes].map(([hash, { contact }]) => [hash, contact.value.record.name])),
    users: new Set(users.keys()),
    mails,
  };
}

async function readAll<Id extends string | number, Value>(
  ids: readonly Id[],
  read: (id: Id) => Promise<Value | null>,
): Promise<Map<Id, Value>> {
  const found = new Map<Id, Value>();
  await Promise.all(ids.map(async (id) => {
    const value = await read(id);
    if (value !== null) found.set(id, value);
  }));
  return found;
}
