/** The banners of “My record” about corrections, on the earlier record and the new one. */
import { groupsOf } from "../RecordHash.tsx";

/** A note that this record is a correction that is not in force yet, with the next step. */
export function NotInForce({ previous }: { previous: string }) {
  return (
    <section class="record-banner pad-4-5 below-5 round" aria-labelledby="waiting-title">
      <h2 class="below-1 text-large" id="waiting-title">This correction is not in force yet</h2>
      <p>
        It takes effect once you confirm its mobile number. Until then, your previous record{" "}
        <code>{groupsOf(previous.slice(0, 8)).join(" ")} …</code>{" "}
        stays in force, with your passkeys and key. You can only confirm or withdraw a correction.
      </p>
      <div class="actions">
        <a class="button primary" href="/my-record/number">Confirm the number</a>
        <form method="post" action="/my-record/choose">
          <input type="hidden" name="record" value={previous} />
          <button type="submit" class="button">Open the previous record</button>
        </form>
        <form method="post" action="/my-record/correct">
          <input type="hidden" name="act" value="withdraw" />
          <button type="submit" class="button">Withdraw the correction</button>
        </form>
      </div>
    </section>
  );
}

/** A note that a record was corrected, with a link to the one that replaced it. */
export function Replaced({ by, canOpen }: { by: string; canOpen: boolean }) {
  return (
    <section class="record-banner pad-4-5 below-5 round" aria-labelledby="replaced-title">
      <h2 class="below-1 text-large" id="replaced-title">This record was replaced</h2>
      <p>
        A correction created the record{" "}
        <code>{groupsOf(by.slice(0, 16)).join(" ")} …</code>. Your passkeys, documents and key
        belong to it now. This chain remains as it is.
      </p>
      {canOpen && (
        <form method="post" action="/my-record/choose">
          <input type="hidden" name="record" value={by} />
          <button type="submit" class="button primary">Open the new record</button>
        </form>
      )}
    </section>
  );
}
