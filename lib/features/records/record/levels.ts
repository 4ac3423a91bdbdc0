/** A trust level (spec 3). `/levels` publishes the conditions. */
export type Level = 1 | 2 | 3 | 4;

/** The conditions from which a record's level is computed. */
export interface Conditions {
  /** The holder has made the intent declaration. */
  declared: boolean;
  emailConfirmed: boolean;
  mobileConfirmed: boolean;
  /** The number of the holder's passkeys. */
  passkeys: number;
  /** An administrator has checked the holder's identity, and the check has not been revoked. */
  identityChecked: boolean;
}

/** A change that may move a record to another level. */
export type ConditionChange =
  | "email_confirmed"
  | "declared"
  | "undeclared"
  | "mobile_confirmed"
  | "mobile_unconfirmed"
  | "passkey_added"
  | "passkey_removed"
  | "identity_checked"
  | "identity_revoked";

/** A step of the holder or the publisher to the next level. */
export type NextStep = "declare" | "confirm_email" | "second_factor" | "identity_check";

/** Returns the conditions after a change. */
export function applyChange(conditions: Conditions, change: ConditionChange): Conditions {
  switch (change) {
    case "email_confirmed":
      return { ...conditions, emailConfirmed: true };
    case "declared":
      return { ...conditions, declared: true };
    case "undeclared":
      return { ...conditions, declared: false };
    case "mobile_confirmed":
      return { ...conditions, mobileConfirmed: true };
    case "mobile_unconfirmed":
      return { ...conditions, mobileConfirmed: false };
    case "passkey_added":
      return { ...conditions, passkeys: conditions.passkeys + 1 };
    case "passkey_removed":
      return { ...conditions, passkeys: Math.max(0, conditions.passkeys - 1) };
    case "identity_checked":
      return { ...conditions, identityChecked: true };
    case "identity_revoked":
      return { ...conditions, identityChecked: false };
  }
}

/**
 * Returns the step that a record lacks for its next level, or null at level 4. The steps are
 * ordered, so a record has the level of the last condition that it meets without a gap.
 */
export function nextStep(conditions: Conditions): NextStep | null {
  if (!conditions.declared) return "declare";
  if (!conditions.emailConfirmed) return "confirm_email";
  if (!conditions.mobileConfirmed && conditions.passkeys === 0) return "second_factor";
  return conditions.identityChecked ? null : "identity_check";
}

/**
 * Returns the level of a record.
 *
 * @example
 * ```ts
 * levelOf({ declared: true, emailConfirmed: true, mobileConfirmed: false, passkeys: 1, identityChecked: false }); // 3
 * ```
 */
export function levelOf(conditions: Conditions): Level {
  switch (nextStep(conditions)) {
    case "declare":
      return 1;
    case "confirm_email":
    case "second_factor":
      return 2;
    case "identity_check":
      return 3;
    case null:
      return 4;
  }
}
