import {
  type DocumentRow,
  formatDocumentId,
  latestVersion,
  statusOf,
} from "../../../lib/features/documents/mod.ts";
import { STATUS_COLOURS, STATUS_WORDS } from "../../documents/texts.ts";
import { Time } from "../../Time.tsx";
import type { IssuerSection } from "./section.ts";

/** How many documents the page of an issuer shows. */
const LATEST = 20;

export const documentsSection: IssuerSection<DocumentRow[]> = {
  id: "documents",
  title: "Documents",
  read: ({ id, state: { services } }) => services.documents.latestOf(id, LATEST),
  show({ state: { services }, now }, documents) {
    const urlOf = (id: string) => services.surfaces.url("trust", `/d/${id}`) ?? undefined;
    return {
      content: documents.length === 0
        ? <p class="muted">None yet. A document that names this issuer appears here.</p>
        : (
          <ul class="record-rows">
            {documents.map((document) => {
              const status = statusOf(document, latestVersion(document), now);
              return (
                <li class="stack baseline gap-0-4 ruled anywhere" key={document.id}>
                  <span>
                    <a href={urlOf(document.id)}>{document.title}</a>
                    <span class={`pill ${STATUS_COLOURS[status].pill}`}>
                      {STATUS_WORDS[status]}
                    </span>
                  </span>
                  <Time class="muted text-small" at={document.created_at} day />
                  <span class="muted">{formatDocumentId(document.id)}</span>
                </li>
              );
            })}
          </ul>
        ),
    };
  },
};
