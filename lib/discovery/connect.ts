import { type Manifest, serverNameOf } from "./manifest.ts";

/** What the badge and `/connect` are given; plain JSON, for it travels with every page (spec 4.5.5). */
export interface ConnectProps {
  /** Which of the two organisations speaks. */
  entity: Manifest["organisation"];
  /** The address of its MCP server. */
  endpoint: string;
  entityName: string;
  /** Who that is, in paragraphs that an empty line separates; addresses in it become links. */
  entityDescription: string;
}

/** What the description tells beside what the manifest says. */
export interface ConnectFacts {
  /** The organisation on the code host. */
  codeHostUrl: string;
  /** The qualification site that the commercial organisation runs. */
  productName: string;
  /** Who looks after the standard; its site where this deployment serves it. */
  steward: { name: string; url: string | null };
}

/** The two texts that connect a client (spec 4.5.3). */
export interface ConnectionStrings {
  /** One line for a terminal. */
  command: string;
  /** The configuration that a generic client takes, indented by two. */
  json: string;
}

/**
 * The props of an organisation's badge.
 *
 * @example
 * ```ts
 * const props = connectProps(manifests.foundation, {
 *   codeHostUrl: "https://code.example/open-records-foundation",
 *   productName: "Qualpack",
 *   steward: { name: "Open Records Foundation", url: "https://foundation.example/" },
 * });
 * props.endpoint; // "https://mcp.foundation.example/mcp"
 * ```
 */
export function connectProps(manifest: Manifest, facts: ConnectFacts): ConnectProps {
  return {
    entity: manifest.organisation,
    endpoint: manifest.endpoint,
    entityName: manifest.organisationName,
    entityDescription: DESCRIBE[manifest.organisation](manifest, facts).join("\n\n"),
  };
}

const DESCRIBE = {
  foundation: ({ description, contactEmail }: Manifest, { codeHostUrl }: ConnectFacts) => [
    description,
    `The text, its test vectors and their history are kept in the open at ${codeHostUrl}. ` +
    `Write to ${contactEmail}.`,
  ],
  commercial: (
    { description, contactEmail }: Manifest,
    { codeHostUrl, productName, steward }: ConnectFacts,
  ) => [
    description,
    `Our certification infrastructure is a catalogue of qualifications, a server with which agents ` +
    `search it, and verification that anybody can call. ${productName} is the catalogue for people.`,
    `The standard is not ours. ${steward.name} looks after it` +
    `${steward.url === null ? "" : ` at ${steward.url}`}, and anybody may implement it without ` +
    `asking either of us.`,
    `Our code is at ${codeHostUrl}. Write to ${contactEmail}.`,
  ],
};

/**
 * The texts to copy into a client.
 *
 * @example
 * ```ts
 * const { command } = connectionStrings(props);
 * // "claude mcp add --transport http open-records-foundation https://mcp.foundation.example/mcp"
 * ```
 */
export function connectionStrings(
  { entity, endpoint, entityName }: Omit<ConnectProps, "entityDescription">,
): ConnectionStrings {
  const name = serverNameOf(entityName, entity);
  const config = { mcpServers: { [name]: { type: "streamable-http", url: endpoint } } };
  return {
    command: `claude mcp add --transport http ${name} ${endpoint}`,
    json: JSON.stringify(config, null, 2),
  };
}
