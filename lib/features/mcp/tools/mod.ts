import type { Tool } from "../tool.ts";
import { describeOrganisation, listSurfaces } from "./organisation.ts";
import { getQualification, searchQualifications } from "./qualifications.ts";
import { listStandardSections, readStandardSection, searchStandard } from "./standard.ts";
import { verifyChain } from "./verify_chain.ts";

/** The tools of both servers (spec 4.4), in the order of `tools/list`. */
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
