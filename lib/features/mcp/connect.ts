/** The texts and links with which people add an organisation's MCP server to their AI client. */
import { type Manifest, serverNameOf } from "./manifest.ts";

/**
 * The props of the badge and of `/connect` (spec 4.5.5). Plain JSON, because they are part of every
 * page.
 */
export interface ConnectProps {
  entity: Manifest["organisation"];
  /** The URL of the organisation's MCP server. */
  endpoint: string;
  entityName: string;
  /** Paragraphs separated by empty lines. URLs and email addresses in them become links. */
  entityDescription: string;
}

/** The facts that the description contains besides the manifest. */
interface ConnectFacts {
  /** The organisation's page on the code host. */
  codeHostUrl: string;
  /** Its registration number and address, if they are configured. */
  registration?: string;
  /** The qualification site of the commercial organisation. */
  productName: string;
  /** The steward of the standard; `url` is null if this deployment doesn't serve its site. */
  steward: { name: string; url: string | null };
}

/** Returns the props of an organisation's badge. */
export function connectProps(manifest: Manifest, facts: ConnectFacts): ConnectProps {
  return {
    entity: manifest.organisation,
    endpoint: manifest.endpoint,
    entityName: manifest.organisationName,
    entityDescription: [
      ...DESCRIBE[manifest.organisation](manifest, facts),
      ...facts.registration === undefined
        ? []
        : [`${manifest.organisationName}, ${facts.registration}`],
    ].join("\n\n"),
  };
}

const DESCRIBE = {
  foundation: ({ description, contactEmail }: Manifest, { codeHostUrl }: ConnectFacts) => [
    description,
    `The text, its test vectors and their history are public at ${codeHostUrl}. ` +
    `Write to us at ${contactEmail}.`,
  ],
  commercial: (
    { description, contactEmail }: Manifest,
    { codeHostUrl, productName, steward }: ConnectFacts,
  ) => [
    description,
    `Our certification infrastructure registers the hash of a document that an approved ` +
    `organisation issues, puts a code on every page, keeps a signed chain for each record, and ` +
    `lets anyone check both. ${productName}, our search for Australian qualifications, runs on ` +
    `the same system.`,
    `The standard is not ours: ${steward.name} maintains it` +
    `${steward.url === null ? "" : ` at ${steward.url}`}, and anyone may implement it without ` +
    `asking either of us.`,
    `Our code is at ${codeHostUrl}. Write to us at ${contactEmail}.`,
  ],
};

/**
 * Returns the texts that connect a client (spec 4.5.3): a line for a terminal, and the
 * configuration of a generic client.
 */
export function connectionStrings(
  { entity, endpoint, entityName }: Omit<ConnectProps, "entityDescription">,
) {
  const name = serverNameOf(entityName, entity);
  return {
    command: `claude mcp add --transport http ${name} ${endpoint}`,
    // In three lines, so that the dialog shows all of it.
    json: `{ "mcpServers": { ${JSON.stringify(name)}:\n  { "type": "streamable-http",\n` +
      `    "url": ${JSON.stringify(endpoint)} } } }`,
  };
}

const formatted = (value: unknown) => JSON.stringify(value, null, 2);

/**
 * Returns how to add the server to particular clients: links that installed editors open, lines for a
 * terminal, and the content of configuration files.
 */
export function installs({ endpoint, organisation, organisationName, serverName: name }: Manifest) {
  const props = { entity: organisation, endpoint, entityName: organisationName };
  const cursor = new URLSearchParams({ name, config: btoa(JSON.stringify({ url: endpoint })) });
  const vscode = JSON.stringify({ name, type: "http", url: endpoint });
  return {
    claudeCode: connectionStrings(props).command,
    codex: `codex mcp add ${name} --url ${endpoint}`,
    cursor: `cursor://anysphere.cursor-deeplink/mcp/install?${cursor}`,
    cursorFile: formatted({ mcpServers: { [name]: { url: endpoint } } }),
    vscode: `vscode:mcp/install?${encodeURIComponent(vscode)}`,
    vscodeFile: formatted({ servers: { [name]: { type: "http", url: endpoint } } }),
    json: connectionStrings(props).json,
  };
}
