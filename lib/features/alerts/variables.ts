import { isSecureUrl, text } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";

export interface AlertConfig {
  /** Fetched each minute while the site is healthy and mail leaves. Its path is usually a secret. */
  heartbeatUrl: string | null;
}

export const alertSettings = defineSettings({
  variables: { HEARTBEAT_URL: secret(text.refine(isSecureUrl, "an https URL").optional()) },
  config: ({ HEARTBEAT_URL }): { alerts: AlertConfig } => ({
    alerts: { heartbeatUrl: HEARTBEAT_URL ?? null },
  }),
  off: ({ env, alerts }: { alerts: AlertConfig } & Deployment) =>
    env === "development" || alerts.heartbeatUrl !== null
      ? []
      : ["the heartbeat, so nobody learns when mail does not leave: HEARTBEAT_URL is not set"],
});
