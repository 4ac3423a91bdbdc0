import { wholeNumber } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";

export interface IssuersConfig {
  /** Requests per minute with one API key; 0 for no limit. */
  keyRateLimit: number;
}

export const issuersSettings = defineSettings({
  variables: {
    API_KEY_RATE_LIMIT: wholeNumber("requests per minute up to 6000, 0 for no limit", 6000)
      .default(600),
  },
  config: ({ API_KEY_RATE_LIMIT: keyRateLimit }): { issuers: IssuersConfig } => ({
    issuers: { keyRateLimit },
  }),
  off: ({ issuers: { keyRateLimit } }) =>
    keyRateLimit === 0 ? ["the limit of requests per API key: API_KEY_RATE_LIMIT is 0"] : [],
});
