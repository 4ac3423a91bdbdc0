/** Publishing pages, each text as a version with a hash. */
import { asSite } from "../../../platform/kv/mod.ts";
import type { OrganisationConfig } from "../../../platform/config/organisations.ts";
import type { Standard } from "../mod.ts";
import type { OrganisationKey, SurfaceName } from "../../../platform/surfaces/mod.ts";
import type { PageContext } from "./context.ts";
import { levelsMarkdown } from "./levels.ts";
import { privacyMarkdown, storedMarkdown } from "./privacy.ts";
import {
  findVersion,
  newestVersion,
  type PageVersion,
  publishVersion,
  readVersion,
} from "./store.ts";
import { termsMarkdown } from "./terms.ts";

/** A page that is published as a document. */
export interface PublishedPage {
  /** The name of its versions in the store, such as `terms` or `standard/records`. */
  name: string;
  title: string;
  /** The surface of the page's canonical URL. */
  surface: SurfaceName;
  path: string;
  issuers: readonly OrganisationKey[];
  /** Returns the current text: a title as its heading, and at least one paragraph. */
  markdown: () => string;
}

/** The organisation that answers for a page, as legal blocks show it. */
export type PageIssuer = Pick<OrganisationConfig, "name" | "registration">;

/** A version with what the page shows next to the text. */
export interface ShownPage {
  name: string;
  title: string;
  path: string;
  /** The name of the Markdown file, such as `terms-v2.md`. */
  fileName: string;
  issuers: PageIssuer[];
  version: PageVersion;
  /** The current version's number and date, if the shown version is an earlier one. */
  replacedBy: Pick<PageVersion, "number" | "at"> | null;
  /** The full URL of this version. */
  url: string;
}

interface PageMatch {
  title: string;
  organisations: readonly OrganisationKey[];
  issuer: string;
  version: number;
  /** When this version was published. */
  at: string;
  /** When the next version was published, and the newest one, if this is an earlier one. */
  replaced: { at: string; newest: Pick<PageVersion, "number" | "at"> } | null;
  /** The full URL of this version. */
  url: string;
}

export type Pages = ReturnType<typeof createPages>;

interface PagesOptions extends PageContext {
  kv: Deno.Kv;
  clock: () => number;
  pages: readonly PublishedPage[];
}

/** Returns the pages that are published as documents, with the functions that write their Markdown. */
export const publishedPages = (context: PageContext, standard: Standard): PublishedPage[] => {
  const trust = (name: string, title: string, markdown: (context: PageContext) => string) => ({
    name,
    title,
    surface: "trust" as const,
    path: `/${name}`,
    issuers: ["foundation", "commercial"] as const,
    markdown: () => markdown(context),
  });
  return [
    trust("terms", "Terms", termsMarkdown),
    trust("privacy", "Privacy", privacyMarkdown),
    trust("privacy/stored", "What is stored about you", storedMarkdown),
    trust("levels", "Trust levels", levelsMarkdown),
    ...standard.sections.map(({ id, title, markdown }) => ({
      name: `standard/${id}`,
      title: `${title} (${standard.title} ${standard.version})`,
      surface: "foundation" as const,
      path: `/standard/${id}`,
      issuers: ["foundation"] as const,
      markdown: () => markdown,
    })),
  ];
};

/**
 * Creates the service that publishes pages. Texts are compared with the store once per process, so
 * that two releases that run at the same time do not publish their versions in turn.
 */
export function createPages({ kv, clock, config, surfaces, pages }: PagesOptions) {
  const byName = new Map(pages.map((page) => [page.name, page]));
  const published = new Map<string, Promise<PageVersion>>();

  function publish({ name, markdown }: PublishedPage): Promise<PageVersion> {
    let version = published.get(name);
    if (version === undefined) {
      version = asSite(() => publishVersion({ kv, clock }, name, markdown())).then(
        ({ version, stored }) => {
          if (!stored) published.delete(name);
          return version;
        },
      );
      published.set(name, version);
      version.catch(() => published.delete(name));
    }
    return version;
  }

  const issuersOf = ({ issuers }: PublishedPage): PageIssuer[] =>
    issuers.map((key) => {
      const { name, registration } = config.organisations[key];
      return { name, registration };
    });
  const urlOf = ({ surface, path }: PublishedPage, number: number): string =>
    `${surfaces.url(surface) ?? surfaces.url("commercial") ?? ""}${path}?version=${number}`;
  const successorOf = (version: PageVersion, newest: PageVersion): ShownPage["replacedBy"] =>
    version.number < newest.number ? { number: newest.number, at: newest.at } : null;

  return {
    /**
     * Returns a version of a page, by default the current one, whose text is stored as a new version
     * if it has changed.
     *
     * @returns null if there is no such page or version
     */
    async read(name: string, number?: number): Promise<ShownPage | null> {
      const page = byName.get(name);
      if (page === undefined) return null;
      const current = await publish(page);
      const version = number === undefined || number === current.number
        ? current
        : await readVersion(kv, name, number);
      if (version === null) return null;
      const { title, path } = page;
      return {
        name,
        title,
        path,
        fileName: `${name.replaceAll("/", "-")}-v${version.number}.md`,
        issuers: issuersOf(page),
        version,
        replacedBy: successorOf(version, current),
        url: urlOf(page, version.number),
      };
    },
    /** Returns the page that was published with this SHA-256; null if there is none. */
    async findPage(sha256: string): Promise<PageMatch | null> {
      await Promise.all(pages.map(publish));
      const found = await findVersion(kv, sha256);
      const page = found && byName.get(found.name);
      if (!page) return null;
      const [version, next, newest] = await Promise.all([
        readVersion(kv, page.name, found.number),
        readVersion(kv, page.name, found.number + 1),
        newestVersion(kv, page.name),
      ]);
      if (version === null) return null;
      return {
        title: page.title,
        organisations: page.issuers,
        issuer: issuersOf(page).map(({ name }) => name).join(" and "),
        version: version.number,
        at: version.at,
        replaced: next && newest && { at: next.at, newest },
        url: urlOf(page, version.number),
      };
    },
  };
}
