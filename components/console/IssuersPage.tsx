import { type IssuerRow, MAX_ISSUER_NAME } from "../../lib/features/documents/mod.ts";
import { formatDay } from "../../lib/base/time.ts";
import { PageHead } from "./parts.tsx";
import { Field } from "../Field.tsx";

interface IssuersPageProps {
  /** The name of the own organisation. */
  own: string;
  issuers: readonly IssuerRow[];
  /** The name that was refused. */
  refused?: { name: string; problem: string };
}

/** The organisations that a document can have as its issuer, with the form that adds one. */
export const IssuersPage = ({ own, issuers, refused }: IssuersPageProps) => (
  <>
    <PageHead
      title="Issuers"
      lead={`The organisations that make documents. ${own} registers them, and is the issuer of all ` +
        "documents for which no other one is chosen."}
    />
    <div class="record-details">
      <section class="card" aria-labelledby="issuers">
        <h2 id="issuers">Issuers</h2>
        <ul class="document-list">
          <li class="stack gap-1 ruled anywhere">
            <strong>{own}</strong>
            <span class="muted">The own organisation</span>
          </li>
          {issuers.map(({ id, name, created_at }) => (
            <li class="stack gap-1 ruled anywhere" key={id}>
              <strong>{name}</strong>
              <span class="muted">Added on {formatDay(created_at)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section class="card" aria-labelledby="add">
        <h2 id="add">Add an issuer</h2>
        <p>
          Documents show its name as “Issued by … · registered with{" "}
          {own}”. A document keeps the name that its issuer had when it was added.
        </p>
        <form method="post" action="/console/issuers">
          <Field name="name" label="Name of the organisation" required problem={refused?.problem}>
            {(control) => (
              <input
                {...control}
                value={refused?.name}
                maxlength={MAX_ISSUER_NAME}
                autocomplete="off"
              />
            )}
          </Field>
          <button type="submit" class="button primary">Add the issuer</button>
        </form>
      </section>
    </div>
  </>
);
