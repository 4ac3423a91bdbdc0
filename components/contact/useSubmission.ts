import { useRef, useState } from "preact/hooks";
import type { Receipt } from "./responses.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import {
  bodyOfControls,
  type FormValues,
  MIN_ELAPSED_MS,
} from "../../lib/features/contact/fields.ts";
import { check, type Draft, emptyDraft, type Issues, remainingIssues } from "./draft.ts";
import { type Failure, invalid, newKey, register } from "./register.ts";
import { type Challenge, useChallenge } from "./useChallenge.ts";

export interface InitialDraft {
  draft: Draft;
  /** When the form was first shown; null if it has not been shown yet. */
  openedAt: number | null;
}

/** The draft, whether it is being sent, and the result of the last attempt. */
export interface Submission {
  draft: Draft;
  setDraft: (change: FormValues) => void;
  failure: Failure | null;
  /** The issues of fields that have not changed since the last attempt. */
  issues: Issues;
  busy: boolean;
  submit: (options?: { asNew: boolean }) => Promise<void>;
  /** Records that the form is opened again. */
  reopen: () => void;
  clear: () => void;
  challenge: Challenge;
}

/**
 * Sends the form. Each opening of the form has one idempotency key, so that a retry gets the same
 * record. An enquiry that may have arrived keeps its key when the form is closed and reopened.
 */
export function useSubmission(
  { host, endpoint, siteKey, active, initial, signal, onRegistered }: {
    host: HTMLElement;
    endpoint: string;
    siteKey: string | undefined;
    /** True if the form is shown. */
    active: boolean;
    initial: InitialDraft;
    signal: AbortSignal;
    onRegistered: (receipt: Receipt) => void;
  },
): Submission {
  const [draft, setWholeDraft] = useState(initial.draft);
  const [failed, setFailed] = useState<{ failure: Failure; draft: Draft } | null>(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const opening = useRef({ key: newKey(), inDoubt: false });
  // When the draft was first opened, because someone who reopens the form and sends it at once is
  // not a bot.
  const openedAt = useRef(initial.openedAt);
  const challenge = useChallenge(host, siteKey, active);

  const submit = async ({ asNew } = { asNew: false }) => {
    if (sending.current) return;
    const issues = check(draft);
    if (challenge.isShown() && challenge.token() === undefined) {
      issues.challenge = CONFIG.COPY.CHALLENGE;
    }
    if (Object.keys(issues).length > 0) {
      return setFailed({ failure: invalid(issues), draft });
    }
    if (asNew) Object.assign(opening.current, { key: newKey(), inDoubt: false });
    sending.current = true;
    setBusy(true);
    // The server takes anything faster for a program. A person only notices a slower response.
    for (let wait; (wait = openedAt.current! + MIN_ELAPSED_MS - performance.now()) > 0;) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)));
    }
    const body = {
      ...bodyOfControls(draft),
      elapsed_ms: Math.round(performance.now() - openedAt.current!),
      challenge: challenge.token(),
    };
    const { origin } = globalThis;
    const { key } = opening.current;
    const outcome = await register(endpoint, body, key, { fetch, signal, origin });
    if (signal.aborted) return;
    sending.current = false;
    setBusy(false);
    challenge.reset();
    if ("receipt" in outcome) return onRegistered(outcome.receipt);
    opening.current.inDoubt ||= outcome.failure.inDoubt;
    setFailed({ failure: outcome.failure, draft });
  };
  const reopen = () => {
    openedAt.current ??= performance.now();
    if (!opening.current.inDoubt) opening.current.key = newKey();
  };
  return {
    draft,
    setDraft: (change) => setWholeDraft((before) => ({ ...before, ...change })),
    failure: failed && failed.failure,
    issues: failed ? remainingIssues(failed.failure.issues, failed.draft, draft) : {},
    busy,
    submit,
    reopen,
    clear() {
      setWholeDraft(emptyDraft());
      setFailed(null);
      opening.current.inDoubt = false;
      openedAt.current = null;
    },
    challenge,
  };
}
