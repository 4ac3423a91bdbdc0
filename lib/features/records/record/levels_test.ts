import { assertEquals } from "@std/assert";
import {
  applyChange,
  type ConditionChange,
  type Conditions,
  type Level,
  levelOf,
  nextStep,
} from "./levels.ts";

/** Every combination of conditions (docs/records.md), with its level and what comes next. */
const TABLE: [
  declared: boolean,
  emailConfirmed: boolean,
  mobileConfirmed: boolean,
  passkeys: number,
  identityChecked: boolean,
  level: Level,
  next: ReturnType<typeof nextStep>,
][] = [
  [false, false, false, 0, false, 1, "declare"],
  [false, false, false, 0, true, 1, "declare"],
  [false, false, false, 1, false, 1, "declare"],
  [false, false, false, 1, true, 1, "declare"],
  [false, false, true, 0, false, 1, "declare"],
  [false, false, true, 0, true, 1, "declare"],
  [false, false, true, 1, false, 1, "declare"],
  [false, false, true, 1, true, 1, "declare"],
  [false, true, false, 0, false, 1, "declare"],
  [false, true, false, 0, true, 1, "declare"],
  [false, true, false, 1, false, 1, "declare"],
  [false, true, false, 1, true, 1, "declare"],
  [false, true, true, 0, false, 1, "declare"],
  [false, true, true, 0, true, 1, "declare"],
  [false, true, true, 1, false, 1, "declare"],
  [false, true, true, 1, true, 1, "declare"],
  [true, false, false, 0, false, 2, "confirm_email"],
  [true, false, false, 0, true, 2, "confirm_email"],
  [true, false, false, 1, false, 2, "confirm_email"],
  [true, false, false, 1, true, 2, "confirm_email"],
  [true, false, true, 0, false, 2, "confirm_email"],
  [true, false, true, 0, true, 2, "confirm_email"],
  [true, false, true, 1, false, 2, "confirm_email"],
  [true, false, true, 1, true, 2, "confirm_email"],
  [true, true, false, 0, false, 2, "second_factor"],
  [true, true, false, 0, true, 2, "second_factor"],
  [true, true, false, 1, false, 3, "identity_check"],
  [true, true, false, 1, true, 4, null],
  [true, true, true, 0, false, 3, "identity_check"],
  [true, true, true, 0, true, 4, null],
  [true, true, true, 1, false, 3, "identity_check"],
  [true, true, true, 1, true, 4, null],
];

const conditionsOf = (
  [declared, emailConfirmed, mobileConfirmed, passkeys, identityChecked]: typeof TABLE[number],
): Conditions => ({
  declared,
  emailConfirmed,
  mobileConfirmed,
  passkeys,
  identityChecked,
});

/** The effect of each change on a row of conditions. */
const CHANGES: Record<ConditionChange, Partial<Record<keyof Conditions, boolean | 1 | -1>>> = {
  email_confirmed: { emailConfirmed: true },
  declared: { declared: true },
  undeclared: { declared: false },
  mobile_confirmed: { mobileConfirmed: true },
  mobile_unconfirmed: { mobileConfirmed: false },
  passkey_added: { passkeys: 1 },
  passkey_removed: { passkeys: -1 },
  identity_checked: { identityChecked: true },
  identity_revoked: { identityChecked: false },
};

/** Finds the level of conditions in the table, where one passkey means any number. */
function levelInTable(conditions: Conditions): Level {
  const passkeys = Math.min(1, conditions.passkeys);
  const text = JSON.stringify({ ...conditions, passkeys });
  return TABLE.find((row) => JSON.stringify(conditionsOf(row)) === text)![5];
}

Deno.test("each combination of conditions has the level and the next step of the table", () => {
  assertEquals(new Set(TABLE.map((row) => JSON.stringify(conditionsOf(row)))).size, 32);
  for (const row of TABLE) {
    const conditions = conditionsOf(row);
    assertEquals([levelOf(conditions), nextStep(conditions)], [row[5], row[6]], String(row));
    assertEquals(levelOf({ ...conditions, passkeys: conditions.passkeys * 3 }), row[5]);
  }
});

Deno.test("each change moves each combination to the level of the table", () => {
  for (const row of TABLE) {
    for (const [change, effects] of Object.entries(CHANGES)) {
      const before = conditionsOf(row);
      const after = { ...before };
      for (const [name, effect] of Object.entries(effects)) {
        if (name === "passkeys") after.passkeys = Math.max(0, before.passkeys + Number(effect));
        else Object.assign(after, { [name]: effect });
      }
      const applied = applyChange(before, change as ConditionChange);
      assertEquals(applied, after, `${row} ${change}`);
      assertEquals(levelOf(applied), levelInTable(after), `${row} ${change}`);
    }
  }
});

Deno.test("the last of two passkeys, not the first, lowers the level", () => {
  const two = { ...conditionsOf(TABLE[26]), passkeys: 2 };
  const one = applyChange(two, "passkey_removed");
  assertEquals([levelOf(two), levelOf(one)], [3, 3]);
  assertEquals(levelOf(applyChange(one, "passkey_removed")), 2);
});
