/** The page after an operator's sign-in that suggests a passkey. */
import { CODE_LIFETIME_MS, type PasskeyGate, RECENT_MS } from "../../lib/features/passkeys/mod.ts";
import { inHours, inMinutes } from "../../lib/base/time.ts";
import { PasskeyPrompt } from "./PasskeyPrompt.tsx";

interface AddPasskeyPageProps {
  gate: PasskeyGate;
  /** The name of the organisation whose console it is. */
  organisation: string;
  /** The page that follows, now or later. */
  next: string;
}

/** Asks an operator without a passkey to add one, at the end of each sign-in with a mailed link. */
export function AddPasskeyPage({ gate: { adding }, organisation, next }: AddPasskeyPageProps) {
  const again = `/auth?again=1&next=${encodeURIComponent(next)}`;
  return (
    <section class="prose passkey-gate">
      <h1>Add your passkey</h1>
      <p class="lead">
        Until you have one, whoever reads your mailbox can open this console of {organisation}.
      </p>
      <p>
        Your phone, browser or password manager stores the passkey and asks for your fingerprint,
        face or PIN when you use it. Then documents, exports, the team and other sensitive pages
        open only with it. It is for this console only.
      </p>
      {adding === "nothing" && <PasskeyPrompt way="add" text="Add a passkey" again={again} />}
      {adding === "code" && (
        <>
          <p>
            Your earlier passkeys were removed. Enter the code that another administrator has given
            you in person or by phone. It is valid for {inHours(CODE_LIFETIME_MS)}.
          </p>
          <PasskeyPrompt way="code" text="Add a passkey" again={again} />
        </>
      )}
      {adding === "link" && (
        <p>
          To add one, <a href={again}>sign in again</a> with an emailed link, and add it within{" "}
          {inMinutes(RECENT_MS)}.
        </p>
      )}
      <p class="actions above-4">
        <a class="button" href={next}>Later</a>
      </p>
    </section>
  );
}
