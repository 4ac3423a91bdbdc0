/** The sign-in page of “My record”: mailed links, passkeys and codes. */
import { plural } from "../../lib/base/time.ts";
import { LINKS_PER_HOUR } from "../../lib/features/auth/mod.ts";
import type { Channel } from "../../lib/features/codes/mod.ts";
import { consentPath } from "../../lib/features/oauth/mod.ts";
import type { LinkFailure } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { EventName } from "../EventName.tsx";
import { Field } from "../Field.tsx";
import { contactUrl } from "../navigation.ts";
import { type RequestView } from "../oauth/RequestFacts.tsx";
import { RequestAside, RequestHeading } from "../oauth/RequestSignIn.tsx";
import { RecordApp } from "../push/app/RecordApp.tsx";
import { PasskeySignIn } from "../passkeys/PasskeySignIn.tsx";
import { RecordFrame } from "../RecordFrame.tsx";
import { RunBy } from "../RunBy.tsx";
import { SendAgain } from "./SendAgain.tsx";

export interface SignInView {
  /** `sent` after a link was requested, whether or not the address belongs to a record. */
  phase: "ask" | "sent";
  email: string;
  problem?: string;
  /** Why the page is shown, such as an expired link. */
  note?: string;
  /**
   * A holder who signed in too long ago for a sensitive action: the masked address, and whether there
   * are a passkey and a confirmed number.
   */
  again?: { address: string; passkey: boolean; number: boolean };
  /** The app's request that the holder signs in for. */
  request?: RequestView;
  /** The problem with the code that a link has shown in another browser. */
  codeProblem?: string;
}

/** The reasons why a link leads back to this page. */
export const LINK_NOTES: Record<LinkFailure["error"], string> = {
  not_found: "That link is not valid. Enter your email address to get a new one.",
  expired: "That link has expired. Enter your email address to get a new one.",
  used: "That link has already been used. Enter your email address to get a new one.",
};

/** The page where holders sign in to their records, never with a password. */
export function SignInPage({ state, view }: { state: State; view: SignInView }) {
  return (
    <RecordFrame title={view.phase === "sent" ? "Check your inbox" : "My record"} wide>
      {state.services.config.recordApp && state.holder === null && (
        <RecordApp record={null} installable />
      )}
      <div class="record-sign-in top one-column-960 block-print">
        <div class="sign-in-main">
          {view.phase === "sent"
            ? <Sent view={view} />
            : <Ask view={view} channels={state.services.codes.channels} />}
          <RunBy state={state} />
        </div>
        {view.again !== undefined
          ? null
          : view.request === undefined
          ? <About state={state} />
          : <RequestAside view={view.request} />}
      </div>
    </RecordFrame>
  );
}

function Ask(
  { view: { email, problem, note, again, request }, channels }: {
    view: SignInView;
    channels: readonly Channel[];
  },
) {
  return (
    <>
      {request === undefined
        ? (
          <>
            <p class="eyebrow">My record</p>
            <h1>{again === undefined ? "Open your record" : "Sign in again"}</h1>
          </>
        )
        : <RequestHeading view={request} />}
      {note !== undefined && <p class="caution pad-3-4 rounded" role="status">{note}</p>}
      <p class={request === undefined ? "lead" : undefined}>
        {again === undefined
          ? "Enter the email address of your record. You never need a password."
          : "This action requires a sign-in within the last ten minutes."}
      </p>
      <form class="sign-in-form" method="post" action="/my-record/sign-in" noValidate>
        {request !== undefined && <input type="hidden" name="request" value={request.token} />}
        <Field
          name="email"
          label="Email address"
          hint={again && `Use your record's address, ${again.address}.`}
          problem={problem}
          required
        >
          {(control) => (
            <input
              {...control}
              type="email"
              value={email}
              autofocus={problem !== undefined}
              autocomplete="username webauthn"
              autocapitalize="none"
              spellcheck={false}
              maxLength={254}
            />
          )}
        </Field>
        <button type="submit" class="button primary wide">Send me a link</button>
      </form>
      <OtherWays
        passkey={again?.passkey ?? true}
        channels={again?.number === false ? [] : channels}
        request={request?.token}
      />
      {again !== undefined && (
        <p class="sign-in-back above-5">
          <a href="/my-record">Back to your record</a>
        </p>
      )}
    </>
  );
}

function Sent({ view: { email, request, codeProblem } }: { view: SignInView }) {
  return (
    <>
      <p class="eyebrow">{request === undefined ? "My record" : "Connect an app"}</p>
      <h1>Check your inbox</h1>
      <p class="lead">
        If <strong class="address">{email}</strong>{" "}
        is the address of a record, a link is on its way. A sign-in link works once and expires
        after 15 minutes.
      </p>
      <p class="muted">
        If nothing arrives within a few minutes, look in your spam folder, or check that you
        registered with this address. If you have not confirmed it yet, the link confirms it. For
        this sign-in, a mailbox gets at most {plural(LINKS_PER_HOUR, "link")} per hour.
      </p>
      {request !== undefined && <LinkCodeForm {...{ token: request.token, email, codeProblem }} />}
      <div class="actions">
        <SendAgain email={email} request={request?.token} asked={codeProblem === undefined} />
        <a
          class="button quiet"
          href={request === undefined ? "/my-record" : consentPath(request.token)}
        >
          Use another address
        </a>
      </div>
    </>
  );
}

/** Asks for the code that the link shows if it is opened in another browser. */
function LinkCodeForm(
  { token, email, codeProblem }: { token: string; email: string; codeProblem?: string },
) {
  return (
    <form
      class="code-form around-5"
      method="post"
      action="/my-record/authorize/code"
    >
      <input type="hidden" name="request" value={token} />
      <input type="hidden" name="email" value={email} />
      <Field
        name="code"
        label="Code"
        hint="If you open the link on another device, it shows six digits to type here."
        problem={codeProblem}
        required
      >
        {(control) => (
          <input
            {...control}
            class="code-input"
            type="text"
            inputmode="numeric"
            autocomplete="off"
            autofocus={codeProblem !== undefined}
            maxLength={40}
            spellcheck={false}
          />
        )}
      </Field>
      <button type="submit" class="button primary">Sign in with the code</button>
    </form>
  );
}

/** The ways to sign in without a mail. */
function OtherWays(
  { passkey, channels, request }: {
    passkey: boolean;
    channels: readonly Channel[];
    /** The token of an app's request. */
    request?: string;
  },
) {
  if (!passkey && channels.length === 0) return null;
  const codePage = (params: Record<string, string>) => {
    const query = new URLSearchParams(request === undefined ? params : { ...params, request });
    return query.size === 0 ? "/my-record/code" : `/my-record/code?${query}`;
  };
  return (
    <section class="screen-only" aria-label="Other ways to sign in">
      <p class="sign-in-or stack middle gap-4 around-5 muted text-small" aria-hidden="true">or</p>
      {passkey && <PasskeySignIn next={request === undefined ? undefined : consentPath(request)} />}
      <ul class="sign-in-codes stack gap-3 above-3">
        {channels.includes("sms") && (
          <li>
            <a href={codePage({})}>Text me a code</a>
          </li>
        )}
        {channels.includes("voice") && (
          <li>
            <a href={codePage({ method: "voice" })}>Call me instead</a>
          </li>
        )}
      </ul>
    </section>
  );
}

/** The chain of an example record. */
const EXAMPLE = [
  "hash_generated",
  "email_confirmed",
  "sms_confirmed",
  "k2_delivered",
  "record_verified",
];

/** Explains what a record is and how to get one. */
function About({ state }: { state: State }) {
  const register = contactUrl(state);
  const standard = state.services.surfaces.url("foundation", "/standard");
  return (
    <aside class="sign-in-about pad-5 soft-framed round raised muted" aria-labelledby="about-title">
      <div class="tape pad-4-5 below-5" aria-hidden="true">
        <ol class="plain">
          {EXAMPLE.map((kind) => (
            <li class="relative flex apart" key={kind}>
              <EventName kind={kind} />
              <span class="mark">✓</span>
            </li>
          ))}
        </ol>
      </div>
      <h2 class="below-2 ink text-large" id="about-title">What is a record?</h2>
      <p>
        When you send our contact form or accept a certificate, we compute a hash of your details
        and start a signed chain of events. That is your record. Anyone with the hash can verify the
        chain, but it does not reveal your details. Here you see your documents and every event, and
        can prove that the record is yours, correct it or delete it.
      </p>
      <p class="wrap gap-2-5">
        {register !== null && <a href={register}>Register a record</a>}
        {state.surface.serves("/verify") && <a href="/verify">Verify a record</a>}
        {standard !== null && <a href={standard}>Read the standard</a>}
      </p>
    </aside>
  );
}
