/** The hook that keeps the contact form's draft and sends it, with retries that register it only once. */
import { sleep } from "../../lib/base/sleep.ts";
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
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
  draft: ReadonlySignal<Draft>;
  setDraft: (change: FormValues) => void;
  failure: ReadonlySignal<Failure | null>;
  /** The issues of fields that have not changed since the last attempt. */
  issues: ReadonlySignal<Issues>;
  busy: ReadonlySignal<boolean>;
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
  const draft = useSignal(initial.draft);
  const failed = useSignal<{ failure: Failure; draft: Draft } | null>(null);
  const busy = useSignal(false);
  const opening = useRef({ key: newKey(), inDoubt: false });
  // When the draft was first opened, because someone who reopens the form and sends it at once is
  // not a bot.
  const openedAt = useRef(initial.openedAt);
  const challenge = useChallenge(host, siteKey, active);

  const submit = async ({ asNew } = { asNew: false }) => {
    if (busy.value) return;
    const sent = draft.value;
    const issues = check(sent);
    if (challenge.isShown() && challenge.token() === undefined) {
      issues.challenge = CONFIG.COPY.CHALLENGE;
    }
    const fail = (failure: Failure) => void (failed.value = { failure, draft: sent });
    if (Object.keys(issues).length > 0) return fail(invalid(issues));
    if (asNew) Object.assign(opening.current, { key: newKey(), inDoubt: false });
    busy.value = true;
    // The server takes anything faster for a program. A person only notices a slower response.
    for (let wait; (wait = openedAt.current! + MIN_ELAPSED_MS - performance.now()) > 0;) {
      await sleep(Math.ceil(wait));
    }
    const body = {
      ...bodyOfControls(sent),
      elapsed_ms: Math.round(performance.now() - openedAt.current!),
      challenge: challenge.token(),
    };
    const { origin } = globalThis;
    const { key } = opening.current;
    const outcome = await register(endpoint, body, key, { fetch, signal, origin });
    if (signal.aborted) return;
    busy.value = false;
    challenge.reset();
    if ("receipt" in outcome) return onRegistered(outcome.receipt);
    opening.current.inDoubt ||= outcome.failure.inDoubt;
    fail(outcome.failure);
  };
  const reopen = () => {
    openedAt.current ??= performance.now();
    if (!opening.current.inDoubt) opening.current.key = newKey();
  };
  return {
    draft,
    setDraft: (change) => void (draft.value = { ...draft.value, ...change }),
    failure: useComputed(() => failed.value?.failure ?? null),
    issues: useComputed(() =>
      failed.value
        ? remainingIssues(failed.value.failure.issues, failed.value.draft, draft.value)
        : {}
    ),
    busy,
    submit,
    reopen,
    clear() {
      draft.value = emptyDraft();
      failed.value = null;
      opening.current.inDoubt = false;
      openedAt.current = null;
    },
    challenge,
  };
}
