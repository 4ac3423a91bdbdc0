import type { Tool } from "../tool.ts";
import { describeOrganisation } from "./describe_organisation.ts";
import { getQualification } from "./get_qualification.ts";
import { listStandardSections } from "./list_standard_sections.ts";
import { listSurfaces } from "./list_surfaces.ts";
import { readStandardSection } from "./read_standard_section.ts";
import { searchQualifications } from "./search_qualifications.ts";
import { searchStandard } from "./search_standard.ts";
import { verifyChain } from "./verify_chain.ts";

/** The eight tools of each of the two servers (spec 4.4). */
export const mcpTools: readonly Tool[] = [
  describeOrganisation,
  listSurfaces,
  listStandardSections,
  readStandardSection,
  searchStandard,
  searchQualifications,
  getQualification,
  verifyChain,
];
