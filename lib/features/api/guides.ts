/** The guides for developers at `/docs`, and the programs that they explain. */
import app from "../../../docs/app.md" with { type: "text" };
import client from "../../../docs/app/client.ts" with { type: "text" };
import connection from "../../../docs/app/connection.ts" with { type: "text" };
import contactForm from "../../../docs/contact-form.md" with { type: "text" };
import feed from "../../../docs/feed.md" with { type: "text" };
import issuing from "../../../docs/issuing.md" with { type: "text" };
import issuingBatches from "../../../docs/issuing-batches.md" with { type: "text" };
import issuingClients from "../../../docs/issuing-clients.md" with { type: "text" };
import issuingKeys from "../../../docs/issuing-keys.md" with { type: "text" };
import issuingWebhooks from "../../../docs/issuing-webhooks.md" with { type: "text" };
import forwardPy from "../../../docs/issuing/forward.py" with { type: "text" };
import gatehousePy from "../../../docs/issuing/gatehouse.py" with { type: "text" };
import receiverPy from "../../../docs/issuing/receiver.py" with { type: "text" };
import receiverTs from "../../../docs/issuing/receiver.ts" with { type: "text" };
import graduates from "../../../docs/issuing/graduates.csv" with { type: "text" };
import gatehouseTs from "../../../docs/issuing/gatehouse.ts" with { type: "text" };
import gatehouseApi from "../../../docs/issuing/gatehouse_api.ts" with { type: "text" };
import type { ContactConfig } from "../contact/variables.ts";
import { type Heading, renderMarkdown } from "../standard/mod.ts";
import { EXAMPLE_API } from "./samples.ts";
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";

/** A guide for developers: a file of `docs/` that the API's site shows at `/docs/<id>`. */
interface Guide {
  readonly id: string;
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
  /** The text below the summary. */
  readonly markdown: string;
}

/** A guide as a page shows it. */
export interface GuideText extends Guide {
  /** The guide that this one continues: that of `issuing` for `issuing-keys`. */
  continues?: Guide;
  html: string;
  headings: Heading[];
}

const TEXTS: readonly (readonly [id: string, markdown: string])[] = [
  ["issuing", issuing],
  ["issuing-batches", issuingBatches],
  ["issuing-webhooks", issuingWebhooks],
  ["issuing-clients", issuingClients],
  ["issuing-keys", issuingKeys],
  ["contact-form", contactForm],
  ["feed", feed],
  ["app", app],
];

/** Returns the guide of a Markdown text, which begins with a title and a summary. */
export function parseGuide(id: string, text: string): Guide {
  const [heading, summary, ...rest] = text.split(/\n{2,}/);
  return {
    id,
    title: heading.replace(/^# /, ""),
    summary: summary.replaceAll("\n", " "),
    markdown: rest.join("\n\n"),
  };
}

/** All guides, in the order in which they are listed. */
export const GUIDES: readonly Guide[] = TEXTS.map(([id, text]) => parseGuide(id, text));

/** The programs that the guides explain, at `/docs/<name>`. */
const FILES: ReadonlyMap<string, string> = new Map([
  ["app/client.ts", client],
  ["app/connection.ts", connection],
  ["issuing/gatehouse.ts", gatehouseTs],
  ["issuing/gatehouse_api.ts", gatehouseApi],
  ["issuing/gatehouse.py", gatehousePy],
  ["issuing/graduates.csv", graduates],
  ["issuing/forward.py", forwardPy],
  ["issuing/receiver.ts", receiverTs],
  ["issuing/receiver.py", receiverPy],
]);

/** Returns the text of a program that a guide explains, with the address of this deployment's API. */
export const guideFile = (name: string, api: string): string | undefined =>
  FILES.get(name)?.replaceAll(EXAMPLE_API, api);

/**
 * Renders a guide with the addresses of this deployment: those of the API and of the bot challenge
 * instead of examples, and pages instead of files.
 *
 * @returns undefined if there is no such guide
 */
export function renderGuide(
  id: string,
  { from, surfaces, challenge }: {
    from: Surface;
    surfaces: Surfaces;
    challenge: ContactConfig["challenge"];
  },
): GuideText | undefined {
  const guide = GUIDES.find((guide) => guide.id === id);
  if (guide === undefined) return undefined;
  const api = surfaces.baseFrom(from, "api") ?? from.baseUrl;
  const verification = ["foundation", "commercial"] as const;
  const verify = verification.map((name) => surfaces.url(name, "/standard/verification"))
    .find((url) => url !== null);
  const replaced: Record<string, string> = {
    [EXAMPLE_API]: api,
    "](verify.md)": verify === undefined ? "](/docs)" : `](${verify})`,
    "](app/": "](/docs/app/",
    "](issuing/": "](/docs/issuing/",
    ...challenge && {
      "https://challenge.example/api.js": challenge.scriptUrl,
      'siteKey: "…"': `siteKey: "${challenge.siteKey}"`,
    },
  };
  for (const [id] of TEXTS) replaced[`](${id}.md`] = `](/docs/${id}`;
  const text = Object.entries(replaced)
    .reduce((text, [from, to]) => text.replaceAll(from, to), guide.markdown);
  const summary = guide.summary.replaceAll("`", "");
  const continues = GUIDES.find((other) => id.startsWith(`${other.id}-`));
  return { ...guide, summary, continues, ...renderMarkdown(text) };
}
