/** The MCP tools that describe the organisation and list its websites. */
import { z } from "zod";
import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../documents.ts";
import { defineTool } from "../tool.ts";

export const describeOrganisation = defineTool({
  name: "describe_organisation",
  title: "Describe the organisation",
  description: "Describes the organisation that runs this server: what it does, its website, how " +
    "to contact it, the open standard for verifiable records that it works with, and where to " +
    "check records and documents.",
  strangersText: null,
  input: z.strictObject({}),
  run: (_, { manifest, standard, surfaces }) => ({
    organisation: manifest.organisation,
    name: manifest.organisationName,
    description: manifest.description,
    homepage: manifest.siteBaseUrl,
    contact: { email: manifest.contactEmail },
    mcp: {
      endpoint: manifest.endpoint,
      protocol_version: manifest.protocolVersion,
      requests_per_minute: manifest.requestsPerMinute,
      server_card: manifest.mcpBaseUrl + SERVER_CARD_PATH,
      server_descriptor: manifest.mcpBaseUrl + SERVER_DESCRIPTOR_PATH,
    },
    standard: { title: standard.title, version: standard.version },
    verification: verificationPages(surfaces()),
  }),
});

/** Returns where people and programs check records and documents; null if it is not served here. */
function verificationPages(surfaces: readonly { name: string; url: string }[]) {
  const trust = surfaces.find(({ name }) => name === "trust");
  return trust === undefined ? null : {
    check_record: `${trust.url}/verify`,
    check_document: `${trust.url}/check`,
  };
}

export const listSurfaces = defineTool({
  name: "list_surfaces",
  title: "List the surfaces",
  description: "Lists the websites and services (surfaces) of both organisations, each with its " +
    "address, purpose and paths.",
  strangersText: null,
  input: z.strictObject({}),
  run: (_, { surfaces }) => ({ surfaces: surfaces() }),
});
