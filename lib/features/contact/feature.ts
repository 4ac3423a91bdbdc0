/** The contact form as a feature: its tables, settings, services and hooks. */
import { actNow } from "../../platform/alert_kind.ts";
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { counter } from "../../platform/telemetry/mod.ts";
import type { AlertServices } from "../alerts/feature.ts";
import type { NewAlert } from "../alerts/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import { createCheckJob, type InvalidChain } from "../chain/mod.ts";
import {
  type AddToEnquiry,
  type Contact,
  type ContactIndex,
  createContact,
  createContactIndex,
  ownerOf,
  readContact,
} from "./mod.ts";
import { registrations } from "./register.ts";
import { type ContactConfig, contactSettings } from "./variables.ts";
import type { ContactModule } from "./module.ts";
import { contactTables } from "./tables.ts";

export interface ContactServices {
  contact: Contact;
  contactIndex: ContactIndex;
  /** Returns the contact form script for other pages. */
  contactModule: () => Promise<ContactModule>;
}

/** Additions of other features to the commit of every enquiry. */
export interface ContactHooks {
  onEnquiry: AddToEnquiry;
}

type Below = Platform & Hooked<ContactHooks> & AlertServices & ChainServices & {
  config: { contact: ContactConfig; organisations: Record<OrganisationKey, OrganisationConfig> };
  overrides: { contactModule?: () => Promise<ContactModule> };
};

const chainFaults = counter(
  "chain_faults",
  "Chains that the nightly check found damaged.",
  {},
);

const CHAIN_FAILED = "chain_failed";

/** The number of invalid chains per check that get an alert of their own. */
const MOST_CHAIN_ALERTS = 20;

/**
 * Returns the alert about a stored chain that is not valid. If something has damaged very many of
 * them, the rest share one alert.
 *
 * @param count the number of invalid chains that the check has found so far
 */
const chainAlert = (
  organisation: OrganisationKey,
  { hash, code, seq }: InvalidChain,
  count: number,
): NewAlert => ({
  organisation,
  kind: CHAIN_FAILED,
  problem: count > MOST_CHAIN_ALERTS ? "more" : hash,
  links: { record: hash },
  details: { code, ...seq === undefined ? {} : { seq } },
});

export const contactFeature = defineFeature({
  name: "contact",
  tables: contactTables,
  settings: contactSettings,
  metrics: [registrations, chainFaults],
  alerts: { [CHAIN_FAILED]: actNow("Chain not valid", "console") },
  create({ config, overrides, surfaces, hooks, ...below }: Below): ContactServices {
    const { organisations } = config;
    const index = createContactIndex(below);
    return {
      contact: createContact({
        ...below,
        index,
        config: config.contact,
        challenge: () => config.contact.challenge,
        isFormHost: (hostname) =>
          surfaces.byHost(hostname) !== undefined ||
          config.contact.origins.some((origin) => new URL(origin).hostname === hostname),
        organisations,
        addToEnquiry(commit, enquiry) {
          for (const add of hooks.onEnquiry?.() ?? []) add(commit, enquiry);
        },
      }),
      contactIndex: index,
      contactModule: overrides.contactModule ??
        (() => Promise.reject(new Error("The contact module was not built."))),
    };
  },
  jobs: ({ kv, chains, alerts, surfaces, count }) => [
    createCheckJob({
      kv,
      publisher: chains.publisher,
      keys: chains.keys,
      async report(chain, faults) {
        count(chainFaults, {});
        const contact = await readContact(kv, chain.hash);
        const organisation = contact === null
          ? surfaces.get("trust")?.organisation ?? "commercial"
          : ownerOf(contact);
        await alerts.report(chainAlert(organisation, chain, faults));
      },
    }),
  ],
});
