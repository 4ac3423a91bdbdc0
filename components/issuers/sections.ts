import type { ActsPage } from "./acts.ts";
import { domainSection } from "./DomainSection.tsx";
import { keysSection } from "./KeysSection.tsx";
import {
  contactSection,
  logoSection,
  nameSection,
  removeSection,
  signatureSection,
  stateSection,
} from "./ProfileSections.tsx";
import type { IssuerSection } from "./section.ts";
import { webhooksSection } from "./WebhooksSection.tsx";

/** The sections of each page with forms that change the issuer, in order. They read what they show at the same time. */
export const ISSUER_SECTIONS: Record<ActsPage, readonly IssuerSection[]> = {
  keys: [keysSection, webhooksSection],
  settings: [
    domainSection,
    nameSection,
    logoSection,
    signatureSection,
    contactSection,
    stateSection,
    removeSection,
  ],
};
