/** The settings of an issuer about its name, logo, signature, contact and state, and its removal. */
import type { ComponentChildren } from "preact";
import {
  MAX_ISSUER_NAME,
  MAX_PICTURE,
  MAX_PICTURE_PIXELS,
  MAX_STATE_REASON,
  NEXT_STATES,
  type PictureKind,
} from "../../lib/features/issuers/mod.ts";
import { CERTIFICATE_LIMITS } from "../../lib/features/issuing/mod.ts";
import { issuerPath } from "../../lib/features/issuers/issuer_path.ts";
import type { IssuerRow } from "../../lib/features/issuers/mod.ts";
import { Field } from "../Field.tsx";
import { Time } from "../Time.tsx";
import { IssuerForm, refusedForm } from "./IssuerForm.tsx";
import type { IssuerSection } from "./section.ts";
import { IssuerState } from "./states.tsx";

export const nameSection: IssuerSection = {
  id: "name",
  title: "Name",
  show(view) {
    if (view.isOwn) return null;
    const refused = refusedForm(view, "rename");
    return (
      <>
        <p>A document keeps the name that its issuer had when it was added.</p>
        <IssuerForm view={view} act="rename" submit="Rename">
          <Field name="name" label="Name" required problem={refused?.issues.name}>
            {(control) => (
              <input
                {...control}
                value={refused?.values.name ?? view.issuer.name}
                maxlength={MAX_ISSUER_NAME}
                autocomplete="off"
              />
            )}
          </Field>
        </IssuerForm>
      </>
    );
  },
};

const LIMITS = (
  <>
    A PNG or JPEG file in RGB, at most {MAX_PICTURE / 1024} KiB and {MAX_PICTURE_PIXELS}{" "}
    pixels wide and high.
  </>
);

/** A picture of an issuer, and the forms that set and remove it. */
function PictureForms(
  { view, kind, alt, children }: {
    view: Parameters<IssuerSection["show"]>[0];
    kind: PictureKind;
    alt: string;
    /** The other fields of the form. */
    children?: ComponentChildren;
  },
) {
  const { issuer } = view;
  const picture = issuer[kind];
  const path = `${issuerPath(issuer.id)}/pictures/${kind}`;
  const refused = refusedForm(view, `set_${kind}`);
  return (
    <>
      {picture !== null && (
        <p>
          <img
            class="issuer-logo framed rounded"
            src={`${path}?v=${picture.sha256.slice(0, 8)}`}
            width={picture.width}
            height={picture.height}
            alt={alt}
          />
        </p>
      )}
      <form method="post" action={path} encType="multipart/form-data">
        {children}
        <Field
          name={`${kind}-file`}
          label={picture === null ? "File" : "Another file"}
          required
          problem={refused?.issues.file ?? refused?.problem}
        >
          {(control) => (
            <input
              {...control}
              name="file"
              type="file"
              accept="image/png,image/jpeg"
            />
          )}
        </Field>
        <button type="submit" class="button">Save the {kind}</button>
      </form>
      {picture !== null && (
        <div class="above-4">
          <IssuerForm
            view={view}
            act={`remove_${kind}`}
            submit={`Remove the ${kind}`}
          />
        </div>
      )}
    </>
  );
}

export const logoSection: IssuerSection = {
  id: "logo",
  title: "Logo",
  show: (view) => (
    <>
      <p>It is printed on certificates. {LIMITS}</p>
      <PictureForms view={view} kind="logo" alt={`The logo of ${view.issuer.name}`} />
    </>
  ),
};

export const signatureSection: IssuerSection = {
  id: "signature",
  title: "Signature",
  show(view) {
    const { signature } = view.issuer;
    const refused = refusedForm(view, "set_signature");
    return (
      <>
        <p>
          It is printed above the name on certificates that this person signs. {LIMITS}{" "}
          A transparent background looks best.
        </p>
        <PictureForms
          view={view}
          kind="signature"
          alt={`The signature of ${signature?.signatory}`}
        >
          <Field
            name="signatory"
            label="Name of the person, as on the certificates"
            required
            problem={refused?.issues.signatory}
          >
            {(control) => (
              <input
                {...control}
                value={refused?.values.signatory ?? signature?.signatory ?? ""}
                maxlength={CERTIFICATE_LIMITS.signatory}
                autocomplete="off"
              />
            )}
          </Field>
        </PictureForms>
      </>
    );
  },
};

export const contactSection: IssuerSection = {
  id: "contact",
  title: "Contact",
  show(view) {
    if (view.isOwn) return null;
    const refused = refusedForm(view, "set_contact");
    return (
      <>
        <p>
          We email this address about problems, such as a domain that can no longer be verified.
          Only administrators see it. Prefer a team’s address, and leave it empty if nobody should
          be emailed.
        </p>
        <IssuerForm view={view} act="set_contact" submit="Save the contact">
          <Field name="contact" label="Email" problem={refused?.issues.contact}>
            {(control) => (
              <input
                {...control}
                type="email"
                value={refused?.values.contact ?? view.issuer.contact ?? ""}
                maxlength={254}
                autocomplete="off"
              />
            )}
          </Field>
        </IssuerForm>
      </>
    );
  },
};

type State = IssuerRow["state"];

/** The meaning of each state. */
const MEANINGS: Record<State, string> = {
  active: "It can issue documents.",
  suspended:
    "It can read its documents through the API, but not issue or change any. This is not " +
    "public.",
  ended: "Its API keys do not work. The pages of its documents say that it no longer issues " +
    "documents, and that earlier ones remain registered.",
};

/** The button that leads to a state, and what it does. */
const CHANGES: Record<State, { submit: string; effect: string; tone: "primary" | "danger" | "" }> =
  {
    active: {
      submit: "Make it active",
      effect: "It can issue documents again, with the API keys that it has.",
      tone: "primary",
    },
    suspended: {
      submit: "Suspend it",
      effect: "It cannot issue or change anything until an administrator makes it active again.",
      tone: "danger",
    },
    ended: {
      submit: "End it",
      effect: "For an organisation that no longer issues documents here. Pages of its documents " +
        "then say so at once.",
      tone: "danger",
    },
  };

export const stateSection: IssuerSection = {
  id: "state",
  title: "State",
  show(view) {
    if (view.isOwn) return null;
    const { state, state_at, state_reason } = view.issuer;
    return (
      <>
        <p>
          <IssuerState issuer={view.issuer} /> since <Time at={state_at} day />. {MEANINGS[state]}
        </p>
        {state_reason !== null && <p>The reason: {state_reason}</p>}
        {NEXT_STATES[state].map((next) => {
          const fields = { state: next };
          const refused = refusedForm(view, "set_state", fields);
          const { submit, effect, tone } = CHANGES[next];
          return (
            <details key={next} class="choice" open={refused !== undefined}>
              <summary class="button">{submit}</summary>
              <p>{effect}</p>
              <IssuerForm view={view} act="set_state" {...{ fields, submit, tone }}>
                <Field
                  name={`reason-${next}`}
                  label="Reason, for administrators"
                  required
                  problem={refused?.issues.reason}
                >
                  {(control) => (
                    <input
                      {...control}
                      name="reason"
                      value={refused?.values.reason}
                      maxlength={MAX_STATE_REASON}
                      autocomplete="off"
                    />
                  )}
                </Field>
              </IssuerForm>
            </details>
          );
        })}
      </>
    );
  },
};

export const removeSection: IssuerSection = {
  id: "remove",
  title: "Remove",
  show(view) {
    if (view.isOwn) return null;
    return (
      <details class="choice" open={refusedForm(view, "remove") !== undefined}>
        <summary class="button">Remove this issuer</summary>
        <p>
          You can remove an issuer only if no document names it; otherwise, end it. Removing can’t
          be undone.
        </p>
        <IssuerForm
          view={view}
          act="remove"
          submit={`Remove ${view.issuer.name}`}
          tone="danger"
        />
      </details>
    );
  },
};
