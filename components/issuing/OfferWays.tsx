/** The buttons with which a recipient accepts documents: into an open record, a new one, or after signing in. */
import type { ComponentChildren } from "preact";
import type { State } from "../../lib/app/state.ts";
import type { AcceptLink } from "../../lib/features/issuing/mod.ts";
import { LinkFields } from "../MailedLinkPage.tsx";
import { type DescribedRecord, RecordDescription } from "../records/RecordDescription.tsx";

/**
 * The ways to accept. The last two are offered to everybody, so that they reveal nothing about the address; the first
 * one shows what the session can open anyway.
 */
export function OfferWays({ state, link, own, it }: {
  state: State;
  link: AcceptLink;
  /** The records that the browser is signed in to, and that can get the documents. */
  own: readonly DescribedRecord[];
  /** The pronoun for the document or the documents. */
  it: "it" | "them";
}) {
  const apart = own.length > 0;
  return (
    <>
      <h2>Accept {it}</h2>
      {own.map((described) => (
        <section key={described.record.hash} class="box stack gap-3 pad-4-5 below-4">
          <RecordDescription {...described} state={state} />
          <Answer {...{ link }} act="add" record={described.record.hash}>
            <button type="submit" class="button primary">Add {it} to my record</button>
          </Answer>
        </section>
      ))}
      {!apart && state.holder !== null && (
        <p class="muted">
          Only a record with the same confirmed email address can get{" "}
          {it}. The one that is open in this browser stays open.
        </p>
      )}
      <div class="accept-ways stack gap-4">
        <section class="box stack gap-2 pad-4-5">
          <h3 class="flush">{apart ? `Keep ${it} apart` : "I have no record yet"}</h3>
          <p class="flush">
            {apart
              ? `Registers another record with ${it}. The one that is open stays open.`
              : `Registers a record for you, with the ${
                it === "it" ? "document" : "documents"
              } in it.`}
          </p>
          <Answer {...{ link }} act="accept">
            <button type="submit" class={apart ? "button" : "button primary"}>
              {apart ? "Register another record" : `Register a record with ${it}`}
            </button>
          </Answer>
        </section>
        <section class="box stack gap-2 pad-4-5">
          <h3 class="flush">{apart ? "I have another record" : "I have a record"}</h3>
          <p class="flush">Sign in to it with the same email address, and add {it} there.</p>
          <Answer {...{ link }} act="sign_in">
            <button type="submit" class="button">Sign in to my record</button>
          </Answer>
        </section>
      </div>
    </>
  );
}

/** A form that answers an offer. */
export const Answer = ({ link, children, ...fields }: {
  link: AcceptLink;
  act: "look" | "accept" | "add" | "sign_in" | "refuse";
  document?: string;
  record?: string;
  children: ComponentChildren;
}) => (
  <form method="post" action="/accept">
    <LinkFields of={link.id} token={link.token} />
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);
