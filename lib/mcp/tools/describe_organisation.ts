import { z } from "zod";
import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../../discovery/documents.ts";
import { defineTool } from "../tool.ts";

export const describeOrganisation = defineTool({
  name: "describe_organisation",
  title: "Describe the organisation",
  description:
    "Says which organisation runs this server, what it does, where its site is, how to " +
    "contact it, and which open standard for verifiable records it works with.",
  input: z.strictObject({}),
  run: (_, { manifest, standard }) => ({
    organisation: manifest.organisation,
    name: manifest.organisationName,
    description: manifest.description,
    homepage: manifest.homepage,
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
