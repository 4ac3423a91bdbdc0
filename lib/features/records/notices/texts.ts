/** The texts of security notices. */
import { DAY_MS, HOUR_MS, plural } from "../../../base/time.ts";
import type { NoticeKind } from "../record/record_data.ts";
import { DELETION_DELAY_MS, RECOVERY_DELAY_MS } from "./delays.ts";

interface NoticeText {
  title: string;
  meaning: string;
  /** The effect of the link, as the text of a button. */
  undo: string;
  /** The result, as a sentence. */
  undone: string;
  /** Advice for the holder. */
  next: string;
}

const SIGN_IN_AGAIN = "Sign in again with a link to this address, and check your access log.";

/** The texts of each notice, for the mail and the page that its link opens. */
export const NOTICE_TEXTS: Record<NoticeKind, NoticeText> = {
  passkey_added: {
    title: "A passkey was added to your record",
    meaning: "Anyone who can use this passkey can open your record.",
    undo: "Remove the passkey",
    undone: "The passkey no longer opens your record.",
    next: `${SIGN_IN_AGAIN} Remove every other passkey that you do not recognise.`,
  },
  passkey_removed: {
    title: "A passkey was removed from your record",
    meaning: "It no longer opens your record. A removed passkey cannot be restored.",
    undo: "Sign out every browser",
    undone: "The person who removed the passkey can no longer change your record.",
    next: `${SIGN_IN_AGAIN} Then add a new passkey.`,
  },
  passkey_counter: {
    title: "A passkey of your record may have been copied",
    meaning:
      "Each use of this passkey has a higher number than the one before. Somebody used it with a number " +
      "that was used already, so it did not open your record.",
    undo: "Remove the passkey",
    undone: "The passkey no longer opens your record.",
    next: `${SIGN_IN_AGAIN} Then add a new passkey.`,
  },
  device_added: {
    title: "A device was added to your record",
    meaning: "It receives notifications about what happens to your record.",
    undo: "Remove all devices",
    undone: "No device receives notifications about your record.",
    next: `${SIGN_IN_AGAIN} You can then add your own devices again.`,
  },
  mobile_confirmed: {
    title: "A mobile number was confirmed for your record",
    meaning: "A code that is sent to this number can now open your record.",
    undo: "Stop the number from opening your record",
    undone: "Codes sent to this number no longer open your record.",
    next: `${SIGN_IN_AGAIN} If the number is not yours, correct your contact data.`,
  },
  mobile_rejected: {
    title: "Your mobile number was rejected",
    meaning: "Someone said that the number of your record is not yours, so it gets no more codes.",
    undo: "Allow the number again",
    undone: "The number can be confirmed again.",
    next: `${SIGN_IN_AGAIN} Then confirm the number if you want to sign in with codes.`,
  },
  signed_in_by_code: {
    title: "Your record was opened with a code",
    meaning: "Someone signed in with a code that was sent to your confirmed mobile number.",
    undo: "End the session and stop using codes",
    undone: "The session has ended, and codes no longer open your record.",
    next: `${SIGN_IN_AGAIN} If someone else has your number, contact your phone company before ` +
      "you confirm it again.",
  },
  key_replaced: {
    title: "The key of your record was replaced",
    meaning: "The previous key no longer works. The key service reports it as replaced.",
    undo: "Revoke the new key",
    undone: "The new key is revoked.",
    next: `${SIGN_IN_AGAIN} You can then create another key.`,
  },
  key_created: {
    title: "A key of your record was created",
    meaning: "Anyone who has it can show the level of your record.",
    undo: "Revoke the key",
    undone: "The key is revoked.",
    next: `${SIGN_IN_AGAIN} You can then create another key.`,
  },
  key_revoked: {
    title: "The key of your record was revoked",
    meaning: "Its card no longer works. A revoked key cannot be restored.",
    undo: "Sign out every browser",
    undone: "The person who revoked the key can no longer change your record.",
    next: `${SIGN_IN_AGAIN} Then create another key.`,
  },
  declared: {
    title: "A declaration was added to your record",
    meaning: "It says what your record is for, and replaces the previous declaration.",
    undo: "Withdraw the declaration",
    undone: "The declaration is deleted.",
    next: SIGN_IN_AGAIN,
  },
  exported: {
    title: "Your data was downloaded",
    meaning: "The file contains everything that your record says. A copy cannot be taken back.",
    undo: "Sign out every browser",
    undone: "The person who downloaded your data can no longer open your record.",
    next: `${SIGN_IN_AGAIN} Please report this to the organisation that your record belongs to.`,
  },
  access_approved: {
    title: "A request to read your document was approved",
    meaning: "The person who asked can now read the document for 7 days.",
    undo: "Revoke the access",
    undone: "The person can no longer read the document.",
    next: `${SIGN_IN_AGAIN} It also shows whether the document was read.`,
  },
  document_shared: {
    title: "A link to your document was created",
    meaning: "Anyone who has the link can read the document until the link ends.",
    undo: "End the link",
    undone: "The link no longer opens the document.",
    next: `${SIGN_IN_AGAIN} The document's page for links shows whether it was opened.`,
  },
  correction: {
    title: "A correction of your record was entered",
    meaning: "When it takes effect, a new record with the corrected data replaces this one, and " +
      "connected apps are disconnected.",
    undo: "Withdraw the correction",
    undone:
      "The correction is withdrawn, and your previous record is in force. Passkeys and keys that " +
      "were added to the corrected record no longer work.",
    next: `${SIGN_IN_AGAIN} Remove every other passkey that you do not recognise.`,
  },
  correction_in_force: {
    title: "A correction of your record took effect",
    meaning:
      "A new record with the corrected data has replaced this one. Later notices are emailed " +
      "to the address that it names.",
    undo: "Undo the correction",
    undone:
      "The correction is undone, and your previous record is in force. Passkeys and keys that were " +
      "added to the corrected record no longer work.",
    next: `${SIGN_IN_AGAIN} Remove every other passkey that you do not recognise.`,
  },
  correction_undone: {
    title: "A correction of your record was undone",
    meaning:
      "Someone used the link that was emailed to an earlier address of the record. The record " +
      "with that address is in force again, and the corrected one is erased.",
    undo: "Return the record to this address",
    undone: "The record with this address is in force again. Passkeys and keys that were added " +
      "since it was replaced no longer work.",
    next: `${SIGN_IN_AGAIN} Remove every other passkey that you do not recognise.`,
  },
  deletion: {
    title: "Your record will be deleted",
    meaning: `It is closed now, and will be deleted after ${
      plural(DELETION_DELAY_MS / DAY_MS, "day")
    }. With the link, you can keep it or delete it sooner.`,
    undo: "Keep my record",
    undone: "Your record will not be deleted. It is open again.",
    next: `${SIGN_IN_AGAIN} Remove every passkey that you do not recognise.`,
  },
  deletion_cancelled: {
    title: "Your record will not be deleted",
    meaning: "Someone signed in and cancelled the deletion of your record. It is open again.",
    undo: "Sign out every browser",
    undone: "The person who cancelled the deletion can no longer change your record.",
    next: `${SIGN_IN_AGAIN} You can then delete your record again.`,
  },
  recovery: {
    title: "Someone asked for access to your record",
    meaning: "An administrator has checked the identity of a person who says that they have lost " +
      "access to this address. We will email a sign-in link to their new address after " +
      `${plural(RECOVERY_DELAY_MS / HOUR_MS, "hour")}.`,
    undo: "Stop the recovery",
    undone: "The recovery is stopped. No link will be sent to the other address.",
    next: "Please report this to the organisation that your record belongs to.",
  },
  agent_connected: {
    title: "An app was connected to your record",
    meaning: "The app now has the access that is named below.",
    undo: "Disconnect the app",
    undone: "All apps are disconnected from your record.",
    next: `${SIGN_IN_AGAIN} Remove every passkey that you do not recognise.`,
  },
};
