/** The console's list of issuers, with the form that adds one. */
import { type IssuerRow, MAX_ISSUER_NAME } from "../../lib/features/issuers/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { formatDay } from "../../lib/base/time.ts";
import { ActionResult } from "../ActionResult.tsx";
import { PageHead } from "../console_parts.tsx";
import { Field } from "../Field.tsx";
import { DomainState, IssuerState } from "./states.tsx";

const PATH = "/console/issuers";

/** A name that was refused, and why. */
export interface RefusedIssuer {
  name: string;
  problem: string;
}

interface IssuersPageProps {
  /** The name of the own organisation. */
  own: string;
  issuers: readonly IssuerRow[];
  /** When each was last used, by its id. */
  uses: ReadonlyMap<string, string>;
  now: number;
  refused?: RefusedIssuer;
  /** The result of the action that led here. */
  result: ShownResult | null;
}

/** The organisations that a document can have as its issuer, with the forms that change them. */
export const IssuersPage = ({ own, issuers, uses, now, refused, result }: IssuersPageProps) => (
  <>
    <PageHead
      title="Issuers"
      lead={`The organisations that issue documents. ${own} registers the documents, and is ` +
        "their issuer unless you choose another one."}
    />
    {result !== null && <ActionResult result={result} action={PATH} />}
    <div class="record-details">
      <section class="card" aria-labelledby="issuers">
        <h2 id="issuers">Issuers</h2>
        <ul class="document-list">
          {issuers.map((issuer) => (
            <Issuer key={issuer.id} {...{ issuer, now }} used_at={uses.get(issuer.id)} />
          ))}
        </ul>
      </section>
      <section class="card" aria-labelledby="add">
        <h2 id="add">Add an issuer</h2>
        <p>
          Documents show its name as “Issued by … · registered with{" "}
          {own}”. A document keeps the name that its issuer had when it was added.
        </p>
        <form method="post" action={PATH}>
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

function Issuer(
  { issuer, used_at, now }: { issuer: IssuerRow; used_at: string | undefined; now: number },
) {
  const { id, organisation, name, domain, created_at } = issuer;
  const isOwn = id === organisation;
  return (
    <li class="stack gap-1 ruled anywhere">
      <span class="wrap gap-1-3 baseline">
        <strong>
          <a href={`${PATH}/${id}`}>{name}</a>
        </strong>
        {!isOwn && <IssuerState issuer={issuer} />}
      </span>
      {domain !== null && (
        <span class="wrap gap-1-3 baseline">
          {domain.name} <DomainState issuer={issuer} now={now} />
        </span>
      )}
      <span class="muted text-small">
        {isOwn ? "This organisation" : `Added on ${formatDay(created_at)}`}
        {used_at === undefined ? ", not used yet" : `, last used on ${formatDay(used_at)}`}
      </span>
    </li>
  );
}
