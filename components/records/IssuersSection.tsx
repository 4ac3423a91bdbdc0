import type { LaterIssuer } from "../../lib/features/issuing/mod.ts";
import { FoldedSection } from "../Section.tsx";
import { Time } from "../Time.tsx";

/** The issuers whose later documents are added to a record at once, each with a button that ends it. */
export const IssuersSection = ({ issuers }: { issuers: readonly LaterIssuer[] }) => (
  <FoldedSection
    id="issuers"
    title="Issuers that add documents"
    state={issuers.map(nameOf).join(", ")}
    lead="You have accepted a document of these organisations. Others that they issue to your address are added to this record at once."
  >
    <ul class="agents below-4">{issuers.map((each) => <Issuer key={each.id} {...each} />)}</ul>
  </FoldedSection>
);

const nameOf = ({ name }: LaterIssuer) => name || "An issuer without documents";

function Issuer(issuer: LaterIssuer) {
  const name = nameOf(issuer);
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p class="muted anywhere">
          To {issuer.emails.join(", ")} · since <Time at={issuer.since} day />
        </p>
        <p class="muted">
          If you end this, the next document waits for you to accept it. Documents in your record
          stay.
        </p>
      </div>
      <form method="post" action="/my-record/issuers">
        <input type="hidden" name="act" value="end" />
        <input type="hidden" name="issuer" value={issuer.id} />
        <button type="submit" class="button small" aria-label={`End: ${name}`}>End</button>
      </form>
    </li>
  );
}
