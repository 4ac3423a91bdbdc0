/** Receives the events of payment providers. Only their signatures authenticate them. */
import {
  readWebhook,
  type WebhookFailure,
  type WebhookServices,
} from "../../platform/http/webhook.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { Payments, Received } from "./payments.ts";
import { type PaymentsConfig, secretVariable } from "./variables.ts";

/** The largest event in bytes. */
const EVENT_LIMIT = 256 * 1024;

/** Reads an event that the provider of the surface's organisation sends, and applies it. */
export async function receivePaymentEvent(
  { surface: { organisation }, services }: {
    surface: { organisation: OrganisationKey };
    services: WebhookServices & { config: { payments: PaymentsConfig }; payments: Payments };
  },
  req: Request,
): Promise<Received | WebhookFailure> {
  const { config, payments } = services;
  const webhook = await readWebhook(services, req, {
    variable: secretVariable(organisation),
    secrets: () => config.payments.secrets[organisation],
    off: "This webhook is not configured.",
    limit: EVENT_LIMIT,
  });
  return webhook.ok ? await payments.receive(organisation, webhook) : webhook;
}
