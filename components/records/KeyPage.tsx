/** The page of “My record” that creates, replaces and revokes a key. */
import { KEY_LEVEL, type KeyOverview } from "../../lib/features/records/mod.ts";
import { formatDateTime } from "../../lib/base/time.ts";
import { CreateKeyForm, KeyActionForm, KeyState } from "./KeySection.tsx";
import { BackToRecord, type BesidePart, RecordFrame } from "../RecordFrame.tsx";
import { Time } from "../Time.tsx";

export interface KeyPageProps {
  keys: KeyOverview;
  mayIssue: boolean;
  /** The action that was just completed. */
  done: "revoked" | null;
}

/** The state of a record's key, and what its holder can do with it. The key itself is not stored. */
export function KeyPage({ keys: { current, past }, mayIssue, done }: KeyPageProps) {
  return (
    <RecordFrame title="Key" styles="key" beside={BESIDE}>
      <BackToRecord />
      <h1>Your key</h1>
      {done === "revoked" && (
        <p class="note" role="status">
          The key was revoked. Scanning its card now shows this.
        </p>
      )}
      <p class="lead">
        Anyone who scans your card sees whether your record's chain is intact, and its level.
      </p>
      <KeyState current={current} mayIssue={mayIssue} />
      {current === null && mayIssue && <CreateKeyForm />}
      {current !== null && (
        <>
          <h2 class="above-6">Replace the key</h2>
          {mayIssue
            ? (
              <KeyActionForm action="replace" id={current.id} text="Replace the key">
                <p>
                  You get a new card. Scanning the old one then shows that it was replaced. Do this
                  if you have lost the card or want a new one.
                </p>
              </KeyActionForm>
            )
            : (
              <p>
                Your record is below level{" "}
                {KEY_LEVEL}. Your key still works, but you cannot replace it.
              </p>
            )}
          <h2 class="above-6">Revoke the key</h2>
          <KeyActionForm action="revoke" id={current.id} text="Revoke the key">
            <p>
              Scanning your card then shows that it was revoked, and you have no key until you
              create a new one. Anyone who has already scanned the card knows the record's hash and
              can still see its chain.
            </p>
          </KeyActionForm>
        </>
      )}
      {past.length > 0 && (
        <>
          <h2 class="above-6">Earlier keys</h2>
          <ul>
            {past.map((key) => (
              <li key={key.id}>
                Created <Time at={key.created_at} />, {key.revoked_at !== null
                  ? `revoked ${formatDateTime(key.revoked_at)}`
                  : `replaced ${formatDateTime(key.replaced_at!)}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </RecordFrame>
  );
}

/** The notes on what the card discloses. */
export const DISCLOSURE: readonly BesidePart[] = [
  {
    title: "What a scan discloses",
    text: "The record's hash, its chain of events, its level and the publisher who states it.",
  },
  {
    title: "What stays private",
    text: "Your name, your address and everything else that you registered.",
  },
  {
    title: "What a scan leaves behind",
    text: "Scans that verify the chain become events in it, and appear in your access log.",
  },
];

const BESIDE: readonly BesidePart[] = [
  ...DISCLOSURE,
  {
    title: "What a reader sees",
    text: (
      <p>
        <a href="/k">The key service</a>{" "}
        shows readers the verdict, the chain and the level. Your card's code leads there.
      </p>
    ),
  },
];
