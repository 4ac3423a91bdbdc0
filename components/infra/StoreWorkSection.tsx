/** The infrastructure page's section about replacing `APP_SECRET` and about migrations of the store. */
import { formatDateTime } from "../../lib/base/time.ts";
import type { SecretState } from "../../lib/platform/secret_states.ts";
import type { WorkState } from "../../lib/platform/store/mod.ts";
import { SecretsTable } from "./SecretsTable.tsx";
import { StateLabel } from "./StateLabel.tsx";

/** The state of all secrets: which rows of the store depend on, which are in use, and what is written again while the site serves. */
export function StoreWorkSection({ work, secrets, now }: {
  work: WorkState;
  /** The secrets besides `APP_SECRET`. */
  secrets: readonly SecretState[];
  now: number;
}) {
  const { current, older, steps } = work;
  return (
    <>
      <h2 class="part-title" id="secrets">Secrets and migrations</h2>
      {current !== null && (
        <table class="stacked infra-table health-table full-width flush" aria-labelledby="secrets">
          <thead>
            <tr>
              <th scope="col">APP_SECRET</th>
              <th scope="col">State</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">
                <code>{current}</code>
              </th>
              <td class="infra-state">
                <StateLabel state="up" text="Current" />
              </td>
              <td>Keep it: the site refuses to start without it.</td>
            </tr>
            {older.map((secret) => <OlderSecret key={secret.id} secret={secret} now={now} />)}
          </tbody>
        </table>
      )}
      <SecretsTable states={secrets} />
      {steps.length === 0
        ? <p class="note above-3">No migration is running.</p>
        : <Steps work={work} />}
    </>
  );
}

function OlderSecret(
  { secret: { id, unusedFrom, written }, now }: { secret: WorkState["older"][number]; now: number },
) {
  const isUnused = unusedFrom !== null && now >= Date.parse(unusedFrom);
  return (
    <tr>
      <th scope="row">
        <code>{id}</code>
      </th>
      <td class="infra-state">
        <StateLabel
          state={isUnused ? "off" : "up"}
          text={isUnused ? "No longer used" : written ? "Still written" : "Still read"}
        />
      </td>
      <td>
        {isUnused ? "Remove it from APP_SECRET, and restart every process." : unusedFrom !== null
          ? (
            <>
              Keep it until{" "}
              <time datetime={unusedFrom}>{formatDateTime(unusedFrom)}</time>, for earlier codes,
              links and limits.
            </>
          )
          : written
          ? "A process has it as its first secret. Restart that one with the current secret first."
          : "Keep it until the rows are rewritten."}
      </td>
    </tr>
  );
}

function Steps({ work: { steps, begun, older } }: { work: WorkState }) {
  const isRotating = older.some(({ unusedFrom }) => unusedFrom === null);
  return (
    <>
      <p class="note above-3">
        {begun || !isRotating
          ? "These rows are being rewritten while the site runs."
          : "These rows are rewritten once every process uses the current secret, half a minute after the start at the earliest."}
      </p>
      <ol class="above-3">
        {steps.map(({ label, share, incomplete }, i) => (
          <li key={label}>
            {label[0].toUpperCase() + label.slice(1)}
            {i === 0 && begun && share !== null && `: about ${Math.floor(share * 100)}%`}
            {incomplete && " (until then, some older ones are not found)"}
          </li>
        ))}
      </ol>
    </>
  );
}
