import { documentsSection } from "./DocumentsSection.tsx";
import { nameSection, removeSection } from "./ProfileSections.tsx";
import type { IssuerSection } from "./section.ts";
import { webhooksSection } from "./WebhooksSection.tsx";

/** All sections, in the order of the page. They read what they show at the same time. */
export const ISSUER_SECTIONS: readonly IssuerSection[] = [
  nameSection,
  documentsSection,
  webhooksSection,
  removeSection,
];
