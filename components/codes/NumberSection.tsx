/** The section about the mobile number on the record page of its holder. */
import type { ComponentChildren } from "preact";
import type { NumberView } from "../../lib/features/codes/mod.ts";
import { Time } from "../Time.tsx";

/**
 * The record's mobile number: masked, whether it is confirmed, a form to confirm it by SMS or call,
 * and "This isn't my number". Works without scripts.
 *
 * @param form the form; without it there is a link to the form's page
 */
export function NumberSection({ view, form }: { view: NumberView; form?: ComponentChildren }) {
  const { state, masked, confirmedAt } = view;
  switch (state) {
    case "none":
      return (
        <p>
          You registered no mobile number.{" "}
          <a href="/my-record/correct">Correct your contact data</a> to add one.
        </p>
      );
    case "rejected":
      return (
        <p>
          You said that <strong class="nowrap">{masked}</strong>{" "}
          isn't your number. It gets no codes and cannot sign in. It remains part of the registered
          data, which cannot be changed. <a href="/my-record/correct">Correct your contact data</a>
          {" "}
          to use another number.
        </p>
      );
    case "confirmed":
      return (
        <>
          <p>
            <strong class="nowrap">{masked}</strong>{" "}
            <span class="pill good">
              confirmed on <Time at={confirmedAt!} day />
            </span>
          </p>
          <p class="muted">
            You can sign in with a code that we send to it. A passkey is safer, because phone
            numbers can be taken over.
          </p>
          <NotMine />
        </>
      );
    case "unconfirmed":
      return (
        <>
          <p>
            <strong class="nowrap">{masked}</strong> <span class="pill">not confirmed</span>
          </p>
          {form ?? (
            <p>
              <a class="button small" href="/my-record/number">Confirm this number</a>
            </p>
          )}
          <NotMine />
        </>
      );
  }
}

function NotMine() {
  return (
    <details class="not-mine above-4">
      <summary class="muted">This isn't my number</summary>
      <p class="muted">
        The number then gets no codes, and nobody can sign in with it. You cannot undo this, but you
        can correct your contact data.
      </p>
      <form method="post" action="/my-record/number">
        <button type="submit" name="act" value="reject" class="button small">
          This isn't my number
        </button>
      </form>
    </details>
  );
}
