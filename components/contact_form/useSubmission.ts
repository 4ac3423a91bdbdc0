import { useRef, useState } from "preact/hooks";
import type { Receipt } from "./answers.ts";
import { type Challenge, useChallenge } from "./challenge.ts";
import { CONFIG } from "../../lib/contact/config.ts";
import { bodyOf, check, type Draft, emptyDraft, type Issues, unchanged } from "./draft.ts";
import { type Failure, newKey, register, unsent } from "./register.ts";

/** What was typed before, and when that began; null where the form was not shown yet. */
export interface Beginning {
  draft: Draft;
  openedAt: number | null;
}

/** What is typed, whether it is being sent, and what came of the last time. */
export interface Submission {
  draft: Draft;
  setDraft: (change: Partial<Draft>) => void;
  failure: Failure | null;
  /** What is wrong with the fields that have not been changed since. */
  issues: Issues;
  busy: boolean;
  submit: (options?: { asNew: boolean }) => Promise<void>;
  /** A new opening of the form. */
  reopen: () => void;
  /** Begins an empty form. */
  clear: () => void;
  challenge: Challenge;
}

/**
 * Sends the form. Each opening has one idempotency key, so that a retry is the same record; one
 * whose arrival is in doubt keeps its key over closing and opening, for it may have arrived.
 */
export function useSubmission(
  { host, endpoint, siteKey, active, begin, signal, onRegistered }: {
    host: HTMLElement;
    endpoint: string;
    siteKey: string | undefined;
    /** Whether the form is shown. */
    active: boolean;
    begin: Beginning;
    signal: AbortSignal;
    onRegistered: (receipt: Receipt) => void;
  },
): Submission {
  const [draft, setWholeDraft] = useState(begin.draft);
  const [failed, setFailed] = useState<{ failure: Failure; draft: Draft } | null>(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const opening = useRef({ key: newKey(), inDoubt: false });
  // A draft's first opening: who comes back to it and sends it at once was not too fast.
  const openedAt = useRef(begin.openedAt);
  const challenge = useChallenge(host, siteKey, active);

  const submit = async ({ asNew } = { asNew: false }) => {
    if (sending.current) return;
    const issues = check(draft);
    if (challenge.isShown() && challenge.token() === undefined) {
      issues.challenge = CONFIG.COPY.PROBLEMS.challenge;
    }
    if (Object.keys(issues).length > 0) {
      return setFailed({ failure: unsent(issues), draft });
    }
    if (asNew) Object.assign(opening.current, { key: newKey(), inDoubt: false });
    sending.current = true;
    setBusy(true);
    const body = bodyOf(draft, {
      elapsed_ms: Math.round(performance.now() - openedAt.current!),
      ...challenge.token() && { challenge: challenge.token() },
    });
    const outcome = await register(endpoint, body, opening.current.key, { fetch, signal });
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
    issues: failed ? unchanged(failed.failure.issues, failed.draft, draft) : {},
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
