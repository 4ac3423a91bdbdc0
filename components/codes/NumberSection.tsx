/** The section about the mobile number on the record page of its holder. */
import type { NumberView } from "../../lib/features/codes/mod.ts";
import { CodeForm } from "./CodeForm.tsx";
import type { CodeStart } from "./client.ts";
import { Time } from "../Time.tsx";

/**
 * The record's mobile number: masked, whether it is confirmed, a form to confirm it by SMS or call,
 * and "This isn't my number". Works without scripts.
 *
 * @param start the state of the form; without it there is a link to the form's page
 */
export function NumberSection({ view, start }: { view: NumberView; start?: CodeStart }) {
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
          {start === undefined
            ? (
              <p>
                <a class="button small" href="/my-record/number">Confirm this number</a>
              </p>
            )
            : start.channels.length === 0
            ? (
              <p>
                This site does not send codes at the moment, so you cannot confirm the number now.
              </p>
            )
            : <CodeForm start={start} />}
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
