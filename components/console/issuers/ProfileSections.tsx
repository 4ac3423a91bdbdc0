import { MAX_ISSUER_NAME } from "../../../lib/features/issuers/mod.ts";
import { Field } from "../../Field.tsx";
import { IssuerForm, refusedForm } from "./IssuerForm.tsx";
import type { IssuerSection } from "./section.ts";

export const nameSection: IssuerSection = {
  id: "name",
  title: "Name",
  show(view) {
    if (view.isOwn) return null;
    const refused = refusedForm(view, "rename");
    return {
      content: (
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
      ),
    };
  },
};

export const removeSection: IssuerSection = {
  id: "remove",
  title: "Remove",
  show(view) {
    if (view.isOwn) return null;
    return {
      content: (
        <details open={refusedForm(view, "remove") !== undefined}>
          <summary>Remove this issuer</summary>
          <p>An issuer that a document names stays. Removing can’t be undone.</p>
          <IssuerForm
            view={view}
            act="remove"
            submit={`Remove ${view.issuer.name}`}
            tone="danger"
          />
        </details>
      ),
    };
  },
};
