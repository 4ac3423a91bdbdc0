/** The page that consoles show instead of a sensitive one until a passkey is used. */
import { CODE_LIFETIME_MS, type PasskeyGate } from "../../lib/features/passkeys/mod.ts";
import { inHours, inMinutes } from "../../lib/base/time.ts";
import { RECENT_MS } from "../../lib/features/passkeys/mod.ts";
import { PasskeyPrompt } from "./PasskeyPrompt.tsx";

/** A form that was being sent, to send it again. */
export interface ResumedForm {
  /** The path that it was sent to. */
  action: string;
  fields: readonly (readonly [name: string, value: string])[];
  /** The name of its field for a file, which has to be chosen again; null if it has none. */
  file: string | null;
}

interface GatePageProps {
  gate: PasskeyGate;
  /** True if a passkey that is added now replaces all others. */
  replaces: boolean;
  form: ResumedForm | null;
  /** The page that leads back if the request is a download. */
  downloadFrom?: string;
  /** The sign-in page that leads back to the request, or to the dashboard from a form. */
  again: string;
}

const RECENT = inMinutes(RECENT_MS);

/** Asks for a passkey before a sensitive page or action, and then continues with it. */
export function GatePage({ gate, replaces, form, downloadFrom, again }: GatePageProps) {
  const { usable, adding } = gate;
  const prompt = { downloadFrom, again };
  const mayAdd = adding === "nothing" && (!usable || replaces);
  return (
    <section class="prose passkey-gate">
      <h1>{usable ? "Use your passkey" : "Add a passkey"}</h1>
      <p class="lead">
        {usable
          ? `This needs a passkey that you have used within the last ${RECENT}.`
          : gate.required
          ? "This console needs a passkey."
          : "This needs a passkey."} You then continue where you were
        {form === null ? "." : ", with everything that you entered."}
      </p>
      {usable && <PasskeyPrompt way="use" text="Use your passkey" {...prompt} />}
      {mayAdd && (
        <>
          <p>
            {replaces && usable
              ? "You signed in with a link from the server, so you can also add a new passkey. It " +
                "replaces all others."
              : "Your phone, browser or password manager stores it and asks for your fingerprint, " +
                "face or PIN when you use it. All full administrators get an email about it."}
          </p>
          <PasskeyPrompt way="add" text="Add a passkey" {...prompt} />
        </>
      )}
      {adding === "code" && (
        <>
          <p>
            Your earlier passkeys were removed. Enter the code that another administrator has given
            you in person or by phone. It is valid for {inHours(CODE_LIFETIME_MS)}.
          </p>
          <PasskeyPrompt way="code" text="Add a passkey" {...prompt} />
        </>
      )}
      {adding === "link" && !usable && (
        <p>
          To add one, <a href={again}>sign in again</a>{" "}
          with an emailed link, and come back here within {RECENT}.
        </p>
      )}
      {form !== null && <ResumeForm form={form} shown={!usable && adding === "link"} />}
      {usable && (
        <details>
          <summary>Lost your passkey?</summary>
          <p>
            Another full administrator can let you replace it, on the Team page. The people who run
            the server can do so too, with <code>deno task sign-in-link</code>.
          </p>
        </details>
      )}
    </section>
  );
}

/** The form that was being sent. It is sent by script, or by its button if it needs the person. */
function ResumeForm({ form: { action, fields, file }, shown }: {
  form: ResumedForm;
  shown: boolean;
}) {
  return (
    <form
      data-resume=""
      method="post"
      action={action}
      enctype={file === null ? undefined : "multipart/form-data"}
    >
      {fields.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      {file !== null && (
        <div class="field">
          <label for="resumed-file">File</label>
          <input id="resumed-file" type="file" name={file} required />
        </div>
      )}
      {(shown || file !== null) && <button type="submit" class="button">Continue</button>}
    </form>
  );
}
