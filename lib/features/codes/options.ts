import type { Platform } from "../../platform/feature.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import type { Chains } from "../chain/mod.ts";
import type { ContactIndex } from "../contact/mod.ts";
import type { Records } from "../records/mod.ts";
import type { CodeSite } from "./messages.ts";
import type { Channel, CodeProvider } from "./provider.ts";
import type { Deliveries } from "./providers/deliveries.ts";
import type { CodesConfig } from "./variables.ts";

export interface CodesOptions
  extends Pick<Platform, "kv" | "clock" | "secrets" | "mailer" | "log"> {
  chains: Chains;
  index: ContactIndex;
  records: Records;
  /** Null if codes are off. */
  provider: CodeProvider | null;
  channels: readonly Channel[];
  deliveries: Deliveries;
  config: Pick<CodesConfig, "countries" | "voiceCountries" | "dailyBudget">;
  /** Codes per client address; 0 for no limit. */
  clientLimit: number;
  site: CodeSite;
  count?: Count;
}
