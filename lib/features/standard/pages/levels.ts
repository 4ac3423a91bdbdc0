/** The text of the page about trust levels. */
import type { Level } from "../../records/mod.ts";
import { namesOf, type PageContext } from "./context.ts";
import { blocks, escapeMarkdown } from "./markdown.ts";

interface LevelRow {
  level: Level;
  condition: string;
  setBy: string;
}

/** The conditions of the levels, which the standard requires the publisher to publish. */
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
      "passkey was added. The holder can get a key to show to others.",
    setBy: "The holder",
  },
  {
    level: 4,
    condition: "Level 3, and an administrator has checked the holder’s identity and recorded how.",
    setBy: "An administrator of the publisher",
  },
];

/** The text of `/levels`: the publisher's conditions for trust levels. */
export function levelsMarkdown(context: PageContext): string {
  const { surfaces, publisher } = context;
  const { foundation, commercial } = namesOf(context);
  const standard = surfaces.url("foundation", "/standard/trust-levels");
  return blocks(
    "# Trust levels",
    "A record has a level from 1 to 4, which shows what its holder and its publisher have done to " +
      "establish it.",
    `These are the conditions of the publisher ${escapeMarkdown(publisher)}, for records ` +
      `registered with ${foundation} and ${commercial}.`,
    "## Conditions",
    [
      "| Level | Condition | Set by |",
      "| --- | --- | --- |",
      ...LEVELS.map(({ level, condition, setBy }) => `| ${level} | ${condition} | ${setBy} |`),
    ].join("\n"),
    "## A level is a statement, not a proof",
    "A level is what the publisher states about a record at the moment when you ask. It is not " +
      "part of the chain, and no signature covers it. Verifying a chain does not verify the " +
      "level, so never rely on a copy or a screenshot. To see the current level, open the " +
      "record’s key or ask the publisher.",
    "Other publishers may set different conditions for levels 3 and 4. The same number does not " +
      "mean the same level at another publisher.",
    "## Countersignatures",
    "Levels are not in the [public log](/log), but events are. A countersignature of the log by a witness " +
      "that the same operator runs proves nothing against the operator, so it changes nothing about " +
      "what a level is worth.",
    "## When a level drops",
    "- A record drops as soon as a condition of its level is no longer met. For example, it drops " +
      "to level 2 if the holder removes the last passkey and no mobile number is confirmed. It " +
      "rises again once the condition is met.\n" +
      "- An administrator can revoke level 4, and records the reason.\n" +
      "- A correction of the contact data is a new record, whose level is computed again. Level 4 " +
      "is not carried over, because the identity was checked for the earlier data. The " +
      "declaration is carried over, because it says what the record is for and not who the " +
      "holder is.",
    "A drop does not change the chain. The holder’s key still leads to the record and shows its " +
      "current level.",
    "## What a level does not say",
    "No level says that what the holder wrote is true, or that the publisher recommends them. Up " +
      "to level 3, nobody has checked who the holder is: anyone with an email address and a " +
      "passkey can reach level 3.",
    standard !== null &&
      `The standard defines the levels and the declaration: [trust levels](${standard}).`,
  );
}
