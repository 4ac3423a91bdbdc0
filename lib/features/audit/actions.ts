/** The actions of operators that are logged, with their names for people. */
export const AUDIT_ACTIONS = {
  sign_in: "Signed in",
  identity_checked: "Checked an identity",
  identity_revoked: "Revoked level 4",
  recovery_started: "Started a recovery",
  recovery_cancelled: "Cancelled a recovery",
  document_added: "Added a document",
  document_replaced: "Added a version of a document",
  document_edited: "Edited a document",
  document_withdrawn: "Withdrew a document",
  access_approved: "Approved access to a document",
  access_refused: "Refused access to a document",
  access_revoked: "Revoked access to a document",
  access_undone: "Undid a decision on access to a document",
  alert_done: "Marked an alert as done",
  alert_reopened: "Reopened an alert",
  mail_sent_again: "Sent a mail again",
  bank_refreshed: "Refreshed the bank’s figures",
  push_sent: "Sent a notification",
  user_deleted: "Deleted a user",
  record_deleted: "Deleted a record",
  records_exported: "Exported records",
  transactions_exported: "Exported transactions",
  payments_exported: "Exported payments",
  audit_log_exported: "Exported the audit log",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
