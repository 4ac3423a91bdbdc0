/** The page of “My record” with the devices and kinds of notifications. */
import type { Problem as RequestProblem } from "../../lib/platform/http/errors.ts";
import { PUSHES, type PushKind } from "../../packages/proof/mod.ts";
import {
  PUSH_KINDS,
  type PushOverview,
  type SentNow,
  timeZones,
} from "../../lib/features/push/mod.ts";
import { Field } from "../Field.tsx";
import { ActionPage, Problem } from "../ActionPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { Devices } from "./Devices.tsx";

export interface NotificationsPageProps {
  overview: PushOverview;
  /** The hash of the open record. */
  hash: string;
  /** The site's key for browsers; null if it does not send notifications to them. */
  vapid: string | null;
  /** The results of a test that was just sent. */
  sent?: SentNow;
  /** True if the choices were just saved. */
  saved: boolean;
  problem?: RequestProblem;
  /** The values of a form that was refused. */
  values?: Record<string, string>;
}

const BESIDE: readonly BesidePart[] = [
  {
    title: "What others can see",
    text: "The text on the lock screen, and nothing else. It names neither you nor your record.",
  },
  {
    title: "How to stop them",
    text:
      "Clear a kind and save, or remove the device. A device that you remove gets nothing more " +
      "until you add it again.",
  },
  {
    title: "What stays in your log",
    text: (
      <p>
        Devices that you add or remove, and changes to this choice, appear in your{" "}
        <a href="/my-record/log">access log</a>.
      </p>
    ),
  },
];

/** The page where a holder chooses which notifications to receive, and sends a test. */
export function NotificationsPage(props: NotificationsPageProps) {
  const { overview, hash, vapid, sent, saved, problem } = props;
  return (
    <ActionPage title="Notifications" beside={BESIDE}>
      <Problem text={problem?.issues ? undefined : problem?.message} />
      {saved && <p class="accent" role="status">Your choices are saved.</p>}
      <p class="lead">
        A notification contains a short text and nothing about you, because anyone can read a lock
        screen.
      </p>
      <h2>Devices</h2>
      {sent !== undefined && <TestResults sent={sent} />}
      <Devices {...{ overview, hash, vapid }} testable />
      <h2>What you receive</h2>
      <ChoicesForm {...props} />
    </ActionPage>
  );
}

function TestResults({ sent: { results } }: { sent: SentNow }) {
  return (
    <div class="record-note below-5 pad-4-5 framed round raised" role="status">
      <h2>Test sent</h2>
      <ul class="push-results">
        {results.map(({ device, name, result }) => (
          <li key={device}>
            {name}: {result === "sent"
              ? "accepted by its push service. It should arrive within a minute."
              : result === "not_configured"
              ? "this site does not send notifications to this kind of device at the moment."
              : "not accepted by its push service. Try again later. If it fails again, remove the " +
                "device and add it again."}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ChoicesForm({ overview: { choices }, problem, values }: NotificationsPageProps) {
  const { issues = {} } = problem ?? {};
  const isOn = (kind: PushKind) =>
    values === undefined ? !choices.off.includes(kind) : values[kind] !== undefined;
  const quiet = values ?? choices.quiet ?? {};
  return (
    <form class="record-form" method="post" action="/my-record/notifications">
      <input type="hidden" name="act" value="choose" />
      <fieldset class="push-kinds shrinks">
        <legend class="below-3 bold">Notify me</legend>
        {PUSH_KINDS.map((kind) => (
          <label class="check" key={kind}>
            <input type="checkbox" name={kind} value="1" {...{ defaultChecked: isOn(kind) }} />
            <span>
              {PUSHES[kind].when}
              <span class="muted block text-small">“{PUSHES[kind].text}”</span>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="push-kinds shrinks">
        <legend class="below-3 bold">Quiet hours</legend>
        <label class="check">
          <input
            type="checkbox"
            name="quiet"
            value="1"
            {...{ defaultChecked: values ? "quiet" in values : choices.quiet !== null }}
          />
          <span>
            Hold notifications during these hours every day
            <span class="muted block text-small">
              They arrive when the quiet hours end.
            </span>
          </span>
        </label>
        <div class="wrap push-hours gap-0-4">
          <Field name="from" label="From" problem={issues.from}>
            {(control) => (
              <input {...control} type="time" {...{ defaultValue: quiet.from ?? "22:00" }} />
            )}
          </Field>
          <Field name="to" label="To" problem={issues.to}>
            {(control) => (
              <input {...control} type="time" {...{ defaultValue: quiet.to ?? "07:00" }} />
            )}
          </Field>
          <Field name="zone" label="Time zone" problem={issues.zone}>
            {(control) => (
              <select {...control}>
                <option value="">Choose …</option>
                {timeZones().map((zone) => (
                  <option key={zone} value={zone} selected={zone === quiet.zone}>
                    {zone.replaceAll("_", " ")}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      </fieldset>
      <button type="submit" class="button primary">Save</button>
    </form>
  );
}
