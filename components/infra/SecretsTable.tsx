/** The infrastructure page's table of secrets other than `APP_SECRET`. */
import type { SecretState } from "../../lib/platform/secret_states.ts";
import { breakable } from "../mixed_text.ts";
import { Time } from "../Time.tsx";
import { StateLabel } from "./StateLabel.tsx";

/** Each secret that is set: since when its value is in use, and who still uses an older one. */
export function SecretsTable({ states }: { states: readonly SecretState[] }) {
  if (states.length === 0) return <p class="note above-3">No other secret is set.</p>;
  return (
    <>
      <table class="stacked infra-table health-table full-width flush above-4">
        <caption class="visually-hidden">Other secrets</caption>
        <thead>
          <tr>
            <th scope="col">Other secrets</th>
            <th scope="col">State</th>
            <th scope="col">In use since</th>
            <th scope="col">Older values</th>
          </tr>
        </thead>
        <tbody>
          {states.map((state) => <Row key={state.variable} state={state} />)}
        </tbody>
      </table>
      <p class="note above-3">
        A value is identified by the first eight characters of a keyed fingerprint, which reveal
        nothing about it. API keys, passkeys and the secrets of issuers’ webhooks are on the pages
        of their owners.
      </p>
    </>
  );
}

function Row({ state: { variable, source, current, older, differs } }: { state: SecretState }) {
  return (
    <tr>
      <th scope="row" class="anywhere">{breakable(variable)}</th>
      <td class="infra-state">
        <StateLabel
          state={differs.length > 0 ? "slow" : "up"}
          text={differs.length > 0 ? "Differs" : older.length > 0 ? "Being replaced" : "In use"}
        />
      </td>
      <td>
        {current.since === null ? "not reported yet" : <Time at={current.since} />},{" "}
        <code>{current.id}</code>, {source === "file" ? "from a file" : "from the environment"}
      </td>
      <td>
        {differs.map(({ process, id }) => (
          <div key={process}>
            Process <code>{process}</code> still uses <code>{id}</code>. Restart it.
          </div>
        ))}
        {older.map(({ id, usedAt }) => (
          <div key={id}>
            <code>{id}</code> is still accepted.{" "}
            {usedAt === null ? "Nobody has used it since it was replaced." : (
              <>
                Last used <Time at={usedAt} />.
              </>
            )}
          </div>
        ))}
        {differs.length + older.length === 0 && "None"}
      </td>
    </tr>
  );
}
