import { batchesSection } from "./BatchesSection.tsx";
import { documentsSection } from "./DocumentsSection.tsx";
import { domainSection } from "./DomainSection.tsx";
import { keysSection } from "./KeysSection.tsx";
import {
  contactSection,
  logoSection,
  nameSection,
  removeSection,
  stateSection,
} from "./ProfileSections.tsx";
import type { IssuerSection } from "./section.ts";
import { webhooksSection } from "./WebhooksSection.tsx";

/** All sections, in the order of the page. They read what they show at the same time. */
export const ISSUER_SECTIONS: readonly IssuerSection[] = [
  stateSection,
  domainSection,
  documentsSection,
  batchesSection,
  keysSection,
  webhooksSection,
  nameSection,
  logoSection,
  contactSection,
  removeSection,
];
