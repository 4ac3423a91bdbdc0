import { z } from "zod";
import type { DocumentServices } from "../documents/feature.ts";
import type { IssuerServices } from "../issuers/feature.ts";
import { type IssuerRow, nameSchema } from "../issuers/mod.ts";
import type { WebhookServices } from "../webhooks/feature.ts";
import type { EndpointRef } from "../webhooks/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { ConsoleResult } from "./results.ts";

/** The services that the actions use. */
type ActServices = IssuerServices & DocumentServices & WebhookServices;

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

/** An action of the page of an issuer, by the value of the field `act`. */
export interface IssuerAct<Form = never> {
  /** The other fields of its form. */
  schema: z.ZodType<Form>;
  run(services: ActServices, form: Form, about: ActAbout): Promise<ActResult>;
}

const act = <Form>(schema: z.ZodType<Form>, run: IssuerAct<Form>["run"]) =>
  ({ schema, run }) as IssuerAct;

const none = z.object({});

const issuerOf = ({ issuer: { organisation, id }, by }: ActAbout) => ({ organisation, id, by });

const PROFILE_ACTS = {
  rename: act(z.object({ name: nameSchema }), async ({ issuers }, { name }, about) => {
    const renamed = await issuers.rename({ ...issuerOf(about), name });
    return renamed.ok ? { ok: true, done: "rename_issuer" } : renamed;
  }),
  remove: act(none, async ({ issuers }, _, about) => {
    const removed = await issuers.remove(issuerOf(about));
    return removed.ok ? { ok: true, done: "remove_issuer", gone: true } : removed;
  }),
};

/** Names one of the issuer's webhooks. */
const webhook = z.object({ webhook: z.uuid(), mode: z.enum(["live", "test"]) });

const webhookOf = (
  { webhook: id, mode }: z.output<typeof webhook>,
  { issuer }: ActAbout,
): EndpointRef => ({ issuer: issuer.id, mode, id });

const WEBHOOK_ACTS = {
  pause_webhook: act(webhook, async ({ webhooks }, form, about) => {
    const paused = await webhooks.pause(webhookOf(form, about), about.by);
    return paused.ok ? { ok: true, done: "pause_webhook" } : paused;
  }),
  resume_webhook: act(webhook, async ({ webhooks }, form, about) => {
    const resumed = await webhooks.resume(webhookOf(form, about), about.by);
    return resumed.ok ? { ok: true, done: "resume_webhook" } : resumed;
  }),
  remove_webhook: act(webhook, async ({ webhooks }, form, about) => {
    const removed = await webhooks.remove(webhookOf(form, about), about.by);
    return removed.ok ? { ok: true, done: "remove_webhook" } : removed;
  }),
};

/** The actions of all sections of the page of an issuer. */
const ISSUER_ACTS: Readonly<Record<string, IssuerAct>> = {
  ...PROFILE_ACTS,
  ...WEBHOOK_ACTS,
};

/** Returns an action; undefined if there is no such action. */
export const issuerActOf = (name: unknown): IssuerAct | undefined =>
  typeof name === "string" && Object.hasOwn(ISSUER_ACTS, name) ? ISSUER_ACTS[name] : undefined;
