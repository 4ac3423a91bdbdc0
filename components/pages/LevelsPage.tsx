import { asset, Head } from "fresh/runtime";
import type { Level } from "../../lib/records/mod.ts";
import type { State } from "../../lib/state.ts";

interface LevelRow {
  level: Level;
  condition: string;
  setBy: string;
}

/** The conditions of design section 11, which the standard requires the publisher to publish. */
const LEVELS: readonly LevelRow[] = [
  { level: 1, condition: "The record is registered.", setBy: "The form" },
  {
    level: 2,
    condition: "The holder has declared, in their own words, what the record is for.",
    setBy: "The holder",
  },
  {
    level: 3,
    condition: "Level 2, the email address is confirmed, and a mobile number is confirmed or a " +
      "passkey was added. The holder can get a key (K2) to show to others.",
    setBy: "The holder",
  },
  {
    level: 4,
    condition: "Level 3, and an administrator has checked the holder’s identity and recorded how.",
    setBy: "An administrator of the publisher",
  },
];

/** The publisher's conditions for trust levels. */
export function LevelsPage({ state }: { state: State }) {
  const { config, surfaces, chains } = state.services;
  const { foundation, commercial } = config.organisations;
  const standard = surfaces.url("foundation", "/standard/trust-levels");
  return (
    <article class="prose">
      <Head>
        <title>Trust levels</title>
        <meta
          name="description"
          content="What the trust level of a record means, and who sets it."
        />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/levels.css")} />
      </Head>
      <h1>Trust levels</h1>
      <p class="lead">
        A record has a level from 1 to 4. It says how far its holder and its publisher have gone to
        establish it.
      </p>
      <p>
        These are the conditions of the publisher {chains.publisher}, for records registered with
        {" "}
        {foundation.name} and {commercial.name}.
      </p>

      <div class="level-table" tabindex={0} role="region" aria-labelledby="conditions">
        <table>
          <caption id="conditions" class="visually-hidden">Conditions of each level</caption>
          <thead>
            <tr>
              <th scope="col">Level</th>
              <th scope="col">Condition</th>
              <th scope="col">Set by</th>
            </tr>
          </thead>
          <tbody>
            {LEVELS.map(({ level, condition, setBy }) => (
              <tr key={level}>
                <th scope="row">{level}</th>
                <td>{condition}</td>
                <td>{setBy}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>

      <h2>A level is a statement, not a proof</h2>
      <p>
        A level is what the publisher states about a record at the moment when you ask. It is not
        part of the chain, and no signature covers it. Verifying a chain does not verify the level,
        so never rely on a copy or a screenshot: open the record’s key or ask the publisher for the
        current level.
      </p>
      <p>
        Another publisher may set other conditions for levels 3 and 4. Do not compare levels of
        different publishers by their numbers.
      </p>

      <h2>When a level drops</h2>
      <ul>
        <li>
          A record drops as soon as a condition of its level is no longer met. If the holder removes
          the last passkey and no mobile number is confirmed, for example, it drops to level 2. It
          rises again when the condition is met again.
        </li>
        <li>
          An administrator can revoke level 4, and records the reason.
        </li>
        <li>
          A correction of the contact data is a new record, whose level is computed again. Level 4
          is not carried over, because the identity was checked for the earlier data. The
          declaration is carried over, because it says what the record is for and not who the holder
          is.
        </li>
      </ul>
      <p>
        A drop changes nothing in the chain. A key that the holder has shown still leads to the
        record, and shows its current level.
      </p>

      <h2>What a level does not say</h2>
      <p>
        No level says that what the holder wrote is true, or that the publisher recommends them. Up
        to level 3, nobody has checked who the holder is: anyone with an email address and a passkey
        can reach it.
      </p>
      {standard !== null && (
        <p>
          The standard defines the levels and the declaration: <a href={standard}>trust levels</a>.
        </p>
      )}
    </article>
  );
}
