/** The heading and tabs above the console's pages about an issuer. */
import type { ComponentChildren } from "preact";
import { issuerPath } from "../../lib/features/issuers/issuer_path.ts";
import type { IssuerRow } from "../../lib/features/issuers/mod.ts";
import { Time } from "../Time.tsx";
import { DomainState, IssuerState } from "./states.tsx";

/** The pages of an issuer, by the ends of their paths. */
const PAGES = {
  documents: { path: "", text: "Documents" },
  batches: { path: "/batches", text: "Batches" },
  keys: { path: "/keys", text: "Keys and webhooks" },
  settings: { path: "/settings", text: "Settings" },
} as const;

export type IssuerPageName = keyof typeof PAGES;

export const issuerPagePath = (issuer: string, page: IssuerPageName): string =>
  `${issuerPath(issuer)}${PAGES[page].path}`;

/** The name of an issuer with its state, and the links to its pages, above one of them. */
export function IssuerFrame({ issuer, page, now, usedAt, children }: {
  issuer: IssuerRow;
  page: IssuerPageName;
  now: number;
  /** When it was last used, ISO 8601 in UTC. */
  usedAt: string | undefined;
  children: ComponentChildren;
}) {
  const { id, organisation, name, domain, created_at } = issuer;
  const isOwn = id === organisation;
  // Only issuers of the commercial organisation use the API.
  const pages = (Object.keys(PAGES) as IssuerPageName[]).filter((each) =>
    organisation === "commercial" || each === "documents" || each === "settings"
  );
  return (
    <>
      <h1 class="flush anywhere">{name}</h1>
      <p class="wrap gap-1-3 baseline muted text-small anywhere above-3 below-3">
        {isOwn ? "This organisation" : (
          <>
            <IssuerState issuer={issuer} />
            {domain !== null && <span>{domain.name}</span>}
            <DomainState issuer={issuer} now={now} />
            <span>
              Added on <Time at={created_at} day />
            </span>
          </>
        )}
        <span>
          {usedAt === undefined ? "Not used yet" : (
            <>
              Last used on <Time at={usedAt} day />
            </>
          )}
        </span>
      </p>
      <nav class="wrap tabs below-5" aria-label="Pages of the issuer">
        {pages.map((each) => (
          <a
            key={each}
            class="muted"
            href={issuerPagePath(id, each)}
            aria-current={each === page ? "page" : "false"}
          >
            {PAGES[each].text}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}
