/** The `llms.txt` that tells language models what a site is about and where its texts and data are. */
import type { WholeText } from "./complete.ts";

/** The addresses that a site's `llms.txt` lists; null for what this deployment does not serve. */
interface LlmsInput {
  standard: Pick<WholeText, "title" | "version" | "sections">;
  name: string;
  description: string;
  /** The start of the URLs of the site that publishes the standard. */
  standardBase: string;
  /** True if that site also serves the whole text and the data: the foundation's does. */
  hasDocuments: boolean;
  siteBase: string;
  mcpEndpoint: string;
  api: string | null;
  trust: string | null;
}

/** Returns a site's `llms.txt` (llmstxt.org): what it is about, with links to Markdown and to data. */
export function llmsText(input: LlmsInput): string {
  const { standard, name, description, standardBase, siteBase, mcpEndpoint } = input;
  const { title, version, sections } = standard;
  const at = `${standardBase}/standard`;
  return [
    `# ${name}`,
    `> ${description}`,
    `The ${title} ${version} defines how a hash commits to a record, how a chain of events ` +
    "documents what happens to it, and how anyone can verify both without trusting the publisher.",
    "## The standard",
    list([
      ...input.hasDocuments
        ? [link("The whole text", `${standardBase}/standard.md`, "all sections in one document")]
        : [],
      ...sections.map(({ id, title, summary }) => link(title, `${at}/${id}?format=md`, summary)),
    ]),
    "## For programs",
    list([
      link(
        "MCP server",
        mcpEndpoint,
        "streamable HTTP; tools that read the standard and verify chains",
      ),
      link(
        "Server card",
        `${siteBase}/.well-known/mcp/server-card.json`,
        "describes the MCP server",
      ),
      ...input.hasDocuments
        ? [
          link(
            "Test vectors",
            `${at}/vectors.json`,
            "every intermediate value, and invalid chains",
          ),
        ]
        : [],
      ...input.api === null
        ? []
        : [link("OpenAPI", `${input.api}/openapi.json`, "the API that returns chains of events")],
    ]),
    "## Optional",
    list([
      ...input.hasDocuments
        ? [link("Changelog", `${at}/changelog`, "every change to the text, with dates and hashes")]
        : [],
      link("How to connect an agent", `${siteBase}/connect`, "instructions for people"),
      ...input.trust === null
        ? []
        : [link("Verify a chain", `${input.trust}/verify`, "in the browser, for people")],
    ]),
  ].join("\n\n") + "\n";
}

const link = (title: string, url: string, text: string): string => `- [${title}](${url}): ${text}`;

const list = (links: string[]): string => links.join("\n");
