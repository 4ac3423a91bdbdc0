import { z } from "zod";
import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../documents.ts";
import { defineTool } from "../tool.ts";

export const describeOrganisation = defineTool({
  name: "describe_organisation",
  title: "Describe the organisation",
  description: "Describes the organisation that runs this server: what it does, its website, how " +
    "to contact it, and the open standard for verifiable records that it works with.",
  input: z.strictObject({}),
  run: (_, { manifest, standard }) => ({
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
  }),
});

export const listSurfaces = defineTool({
  name: "list_surfaces",
  title: "List the surfaces",
  description: "Lists the websites and services (surfaces) of both organisations, each with its " +
    "address, purpose and paths.",
  input: z.strictObject({}),
  run: (_, { surfaces }) => ({ surfaces: surfaces() }),
});
