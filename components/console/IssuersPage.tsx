import { type IssuerRow, MAX_ISSUER_NAME } from "../../lib/features/issuers/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { formatDay } from "../../lib/base/time.ts";
import { ActionResult } from "../ActionResult.tsx";
import { PageHead } from "./parts.tsx";
import { Field } from "../Field.tsx";

const PATH = "/console/issuers";

/** A form that was refused: the action, the issuer, the name that was entered, and why. */
export interface RefusedIssuer {
  act: string;
  id: string;
  name: string;
  problem: string;
}

interface IssuersPageProps {
  /** The name of the own organisation. */
  own: string;
  issuers: readonly IssuerRow[];
  refused?: RefusedIssuer;
  /** The result of the action that led here. */
  result: ShownResult | null;
}

/** The organisations that a document can have as its issuer, with the forms that change them. */
export const IssuersPage = ({ own, issuers, refused, result }: IssuersPageProps) => (
  <>
    <PageHead
      title="Issuers"
      lead={`The organisations that make documents. ${own} registers them, and is the issuer of all ` +
        "documents for which no other one is chosen."}
    />
    {result !== null && <ActionResult result={result} action={PATH} />}
    <div class="record-details">
      <section class="card" aria-labelledby="issuers">
        <h2 id="issuers">Issuers</h2>
        <ul class="document-list">
          <li class="stack gap-1 ruled anywhere">
            <strong>{own}</strong>
            <span class="muted">This organisation</span>
          </li>
          {issuers.filter(({ id, organisation }) => id !== organisation).map((issuer) => (
            <Issuer key={issuer.id} {...{ issuer, refused }} />
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
          <input type="hidden" name="act" value="add" />
          <NameField
            refused={refused?.act === "add" ? refused : undefined}
            label="Name of the organisation"
          />
          <button type="submit" class="button primary">Add the issuer</button>
        </form>
      </section>
    </div>
  </>
);

function Issuer({ issuer, refused }: { issuer: IssuerRow; refused?: RefusedIssuer }) {
  const { id, name, created_at, used_at } = issuer;
  const own = refused?.id === id ? refused : undefined;
  return (
    <li class="stack gap-1 ruled anywhere">
      <strong>{name}</strong>
      <span class="muted">
        Added on {formatDay(created_at)}
        {used_at !== undefined && `, last chosen on ${formatDay(used_at)}`}
      </span>
      <details open={own !== undefined}>
        <summary>
          Rename or remove<span class="visually-hidden">{` ${name}`}</span>
        </summary>
        <form class="above-4" method="post" action={PATH}>
          <input type="hidden" name="act" value="rename" />
          <input type="hidden" name="id" value={id} />
          <NameField
            of={id}
            refused={own?.act === "rename" ? own : undefined}
            label="New name"
            value={name}
          />
          <button type="submit" class="button">Rename</button>
        </form>
        <form class="above-4" method="post" action={PATH}>
          <input type="hidden" name="act" value="remove" />
          <input type="hidden" name="id" value={id} />
          <p>An issuer that a document names stays. Removing can’t be undone.</p>
          {own?.act === "remove" && <p class="problem" role="alert">{own.problem}</p>}
          <button type="submit" class="button danger">Remove {name}</button>
        </form>
      </details>
    </li>
  );
}

/** @param of the id of an issuer, so that the fields of several forms have their own ids */
const NameField = ({ of, label, value, refused }: {
  of?: string;
  label: string;
  value?: string;
  refused?: RefusedIssuer;
}) => (
  <Field
    name={of === undefined ? "name" : `name-${of}`}
    label={label}
    required
    problem={refused?.problem}
  >
    {(control) => (
      <input
        {...control}
        name="name"
        value={refused?.name ?? value}
        maxlength={MAX_ISSUER_NAME}
        autocomplete="off"
      />
    )}
  </Field>
);
