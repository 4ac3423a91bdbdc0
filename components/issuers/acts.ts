/** The actions of all forms on the console's pages of an issuer: its profile, domain, API keys and webhooks. */
import { z } from "zod";
import type { IssuerServices } from "../../lib/features/issuers/feature.ts";
import {
  contactSchema,
  domainSchema,
  type IssuerRow,
  nameSchema,
  newKeySchema,
  revocationSchema,
  rotationSchema,
  stateSchema,
} from "../../lib/features/issuers/mod.ts";
import type { WebhookServices } from "../../lib/features/webhooks/feature.ts";
import type { EndpointRef } from "../../lib/features/webhooks/mod.ts";
import type { Failure } from "../../lib/base/result.ts";
import type { ConsoleResult } from "../../lib/features/console/results.ts";

/** The services that the actions use. */
type ActServices = IssuerServices & WebhookServices;

/** The issuer that an action changes, and the administrator's email address. */
export interface ActAbout {
  issuer: IssuerRow;
  by: string;
}

/** A value that the page shows only in its response to the action, such as a new key. */
export interface ShownOnce {
  title: string;
  value: string;
  text: string;
}

export type ActResult =
  | {
    ok: true;
    /** The result that the page then shows. */
    done: ConsoleResult;
    /** True if the issuer's page no longer exists. */
    gone?: true;
    /** Shown instead of a redirect to the page. */
    once?: ShownOnce;
  }
  | Failure;

/** An action of a page of an issuer, by the value of the field `act`. */
export interface IssuerAct<Form = never> {
  /** The other fields of its form. */
  schema: z.ZodType<Form>;
  run(services: ActServices, form: Form, about: ActAbout): Promise<ActResult>;
}

const act = <Form>(schema: z.ZodType<Form>, run: IssuerAct<Form>["run"]) =>
  ({ schema, run }) as IssuerAct;

const none = z.object({});

const issuerOf = ({ issuer: { organisation, id }, by }: ActAbout) => ({ organisation, id, by });

/** Shows a result of the console after a change of an issuer that succeeded. */
const then = async (
  done: ConsoleResult,
  change: Promise<{ ok: true } | Failure>,
): Promise<ActResult> => {
  const changed = await change;
  return changed.ok ? { ok: true, done } : changed;
};

const PROFILE_ACTS = {
  rename: act(
    z.object({ name: nameSchema }),
    ({ issuers }, { name }, about) =>
      then("rename_issuer", issuers.rename({ ...issuerOf(about), name })),
  ),
  set_contact: act(
    z.object({ contact: contactSchema }),
    ({ issuers }, { contact }, about) =>
      then("set_contact", issuers.setContact({ ...issuerOf(about), contact })),
  ),
  remove_logo: act(
    none,
    ({ issuers }, _, about) =>
      then("remove_logo", issuers.setLogo({ ...issuerOf(about), bytes: null })),
  ),
  remove_signature: act(
    none,
    ({ issuers }, _, about) =>
      then("remove_signature", issuers.setSignature({ ...issuerOf(about), signature: null })),
  ),
  set_state: act(
    stateSchema,
    ({ issuers }, { state, reason }, about) =>
      then(STATE_RESULTS[state], issuers.setState({ ...issuerOf(about), state, reason })),
  ),
  remove: act(none, async ({ issuers }, _, about) => {
    const removed = await issuers.remove(issuerOf(about));
    return removed.ok ? { ok: true, done: "remove_issuer", gone: true } : removed;
  }),
};

const STATE_RESULTS = {
  active: "activate_issuer",
  suspended: "suspend_issuer",
  ended: "end_issuer",
} as const;

const DOMAIN_ACTS = {
  set_domain: act(
    z.object({ domain: domainSchema }),
    ({ issuerDomains }, { domain }, about) =>
      then("set_domain", issuerDomains.set({ ...issuerOf(about), domain })),
  ),
  check_domain: act(
    none,
    ({ issuerDomains }, _, about) => then("check_domain", issuerDomains.check(issuerOf(about))),
  ),
  remove_domain: act(
    none,
    ({ issuerDomains }, _, about) => then("remove_domain", issuerDomains.remove(issuerOf(about))),
  ),
};

/** Only the commercial console shows these forms. The issuers of the other one have no keys. */
const KEY_ACTS = {
  create_key: act(newKeySchema, async ({ issuerKeys }, form, { issuer, by }) => {
    const created = await issuerKeys.create({ issuer: issuer.id, by, ...form });
    return created.ok ? { ok: true, done: "create_key", once: shownOnce(created) } : created;
  }),
  replace_key: act(rotationSchema, async ({ issuerKeys }, form, { issuer, by }) => {
    const replaced = await issuerKeys.rotate({ issuer: issuer.id, by, ...form });
    return replaced.ok ? { ok: true, done: "replace_key", once: shownOnce(replaced) } : replaced;
  }),
  revoke_key: act(
    revocationSchema,
    ({ issuerKeys }, { key, webhooks }, { issuer, by }) =>
      then("revoke_key", issuerKeys.revoke({ issuer: issuer.id, by, key, webhooks })),
  ),
};

const shownOnce = ({ key, row }: { key: string; row: { name: string } }): ShownOnce => ({
  title: `The new key “${row.name}”`,
  value: key,
  text:
    "Copy it now, and pass it on safely, for example with a shared password manager. It is shown " +
    "only here: we store a fingerprint of it, so nobody can look it up later.",
});

/** Names one of the issuer's webhooks. */
const webhook = z.object({ webhook: z.uuid(), mode: z.enum(["live", "test"]) });

const webhookOf = (
  { webhook: id, mode }: z.output<typeof webhook>,
  { issuer }: ActAbout,
): EndpointRef => ({ issuer: issuer.id, mode, id });

const WEBHOOK_ACTS = {
  pause_webhook: act(
    webhook,
    ({ webhooks }, form, about) =>
      then("pause_webhook", webhooks.pause(webhookOf(form, about), about.by)),
  ),
  resume_webhook: act(
    webhook,
    ({ webhooks }, form, about) =>
      then("resume_webhook", webhooks.resume(webhookOf(form, about), about.by)),
  ),
  remove_webhook: act(
    webhook,
    ({ webhooks }, form, about) =>
      then("remove_webhook", webhooks.remove(webhookOf(form, about), about.by)),
  ),
};

/** The pages of an issuer whose forms change it. */
export type ActsPage = "keys" | "settings";

/** The actions of the forms on each page. */
const ISSUER_ACTS: Record<ActsPage, Readonly<Record<string, IssuerAct>>> = {
  keys: { ...KEY_ACTS, ...WEBHOOK_ACTS },
  settings: { ...PROFILE_ACTS, ...DOMAIN_ACTS },
};

/** Returns an action of a page; undefined if it has no such action. */
export const issuerActOf = (page: ActsPage, name: unknown): IssuerAct | undefined =>
  typeof name === "string" && Object.hasOwn(ISSUER_ACTS[page], name)
    ? ISSUER_ACTS[page][name]
    : undefined;
