/** The settings on which the texts of the pages depend. */
import type { TableDescription } from "../../../platform/kv/mod.ts";
import type { StoreConfig } from "../../../platform/store/variables.ts";
import type { OrganisationConfig } from "../../../platform/config/organisations.ts";
import type { CodesConfig } from "../../codes/variables.ts";
import type { ContactConfig } from "../../contact/variables.ts";
import type { DocumentsConfig } from "../../documents/variables.ts";
import type { OrganisationKey, Surfaces } from "../../../platform/surfaces/mod.ts";
import { escapeMarkdown, type Item } from "./markdown.ts";

/** The settings that the texts of the pages depend on. */
export interface PageSettings {
  organisations: Record<OrganisationKey, OrganisationConfig>;
  productName: string;
  contact: ContactConfig;
  codes: CodesConfig;
  documents: DocumentsConfig;
  store: Pick<StoreConfig, "region">;
  recordApp: boolean;
}

/** The data that the texts of the pages depend on. It does not change while the process runs. */
export interface PageContext {
  config: PageSettings;
  surfaces: Surfaces;
  /** The host in the heads of chains. */
  publisher: string;
  tables: readonly TableDescription[];
}

const ORGANISATIONS: readonly OrganisationKey[] = ["foundation", "commercial"];

/** The names of the organisations and the product, as Markdown. */
export const namesOf = ({ config: { organisations, productName } }: PageContext) => ({
  foundation: escapeMarkdown(organisations.foundation.name),
  commercial: escapeMarkdown(organisations.commercial.name),
  product: escapeMarkdown(productName),
});

/**
 * The email address of each organisation that has a surface in this deployment. Only these have to be
 * configured.
 */
export const contactItems = ({ config, surfaces }: PageContext): Item[] =>
  ORGANISATIONS
    .filter((key) => surfaces.all.some(({ organisation }) => organisation === key))
    .map((key) => {
      const { name, contactEmail } = config.organisations[key];
      return {
        label: escapeMarkdown(name),
        text: `[${escapeMarkdown(contactEmail)}](mailto:${contactEmail})`,
      };
    });
