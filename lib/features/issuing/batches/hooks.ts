/** Connects batches with the features that they use: certificates, API keys, webhooks and jobs. */
import { isKey, keyOf } from "../../documents/mod.ts";
import type { IssuerServices } from "../../issuers/feature.ts";
import type { Jobs } from "../../../platform/jobs/mod.ts";
import type { WebhookServices } from "../../webhooks/feature.ts";
import type { CertificateContents } from "../certificate_content.ts";
import type { BatchDocument } from "./columns.ts";
import { BATCHES_JOB, type BatchesOptions } from "./mod.ts";

type Below = IssuerServices & WebhookServices & {
  jobs: Pick<Jobs, "soon">;
  certificates: CertificateContents;
};

/** Returns what batches use of other features. */
export function batchHooks(
  { certificates, issuerKeys, webhooks, jobs }: Below,
): Pick<BatchesOptions, "checkDocuments" | "make" | "isRevoked" | "addEvent" | "nudge"> {
  const fieldsOf = (
    { email: _, external_id: __, type: ___, expires_on: ____, ...fields }: BatchDocument,
  ) => fields;
  return {
    checkDocuments: (issuer, documents) => certificates.issuesOf(issuer, documents.map(fieldsOf)),
    make: (issuer, document, test) => certificates.make(issuer, fieldsOf(document), test),
    isRevoked: async ({ issuer, by }, commit) =>
      isKey(by) && await issuerKeys.isRevoked({ issuer, key: keyOf(by) }, commit),
    async addEvent(unit, { id, issuer, test, state, rows, issued, failed, sent, returned }) {
      const send = await webhooks.add(unit.commit, {
        issuer,
        test,
        type: state === "done"
          ? "batch.completed"
          : state === "undone"
          ? "batch.undone"
          : "batch.stopped",
        data: { id, test, state, rows, issued, failed, sent, returned },
        now: unit.now,
      });
      unit.after(send);
    },
    nudge: () => jobs.soon(BATCHES_JOB),
  };
}
