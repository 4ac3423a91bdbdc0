/** The section about documents on the home page for investors. */
import { DOCUMENTS } from "../../../lib/features/marketing/mod.ts";
import type { State } from "../../../lib/app/state.ts";

/** The documents that are published already, and those to ask for. */
export function DocumentKinds({ state }: { state: State }) {
  const { surfaces, config, standard } = state.services;
  const trust = (path: string) => surfaces.url("trust", path);
  const published = [
    {
      href: surfaces.url("foundation", "/standard"),
      title: `${standard.title} ${standard.version}`,
      text: "The format of records and chains.",
    },
    { href: trust("/terms"), title: "Terms", text: "With version and hash." },
    { href: trust("/privacy"), title: "Privacy", text: "Everything that is stored, and how long." },
    { href: trust("/levels"), title: "Trust levels", text: "What each level requires." },
    { href: surfaces.url("api", "/docs"), title: "API reference", text: "For integrations." },
    {
      href: config.organisations.commercial.codeHostUrl,
      title: "Source code",
      text: "What runs here.",
    },
  ].filter(({ href }) => href !== null);
  return (
    <section class="investor-part" id="documents" aria-labelledby="documents-title">
      <h2 id="documents-title">Documents</h2>
      <div class="investor-documents stack gap-6 top one-column-960">
        <div>
          <h3>On request</h3>
          <p class="muted">
            Our reply says which of them we can share. What we share is added to your record, and
            anyone can{" "}
            {trust("/check") === null
              ? "check a copy"
              : <a href={trust("/check")!}>check a copy</a>}.
          </p>
          <ul class="investor-kinds soft-framed round on-card shadowed">
            {DOCUMENTS.map(({ id, title, contents }) => (
              <li class="cluster gap-4 apart pad-4-5" key={id}>
                <div>
                  <strong>{title}</strong>
                  <p>{contents}</p>
                </div>
                <a class="button small rigid" href={`?request=${id}#contact`}>
                  Request<span class="visually-hidden">: {title}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>Published</h3>
          <p class="muted">No need to ask.</p>
          <ul class="investor-published">
            {published.map(({ href, title, text }) => (
              <li class="ruled" key={title}>
                <a href={href!}>{title}</a>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
