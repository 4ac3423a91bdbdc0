import type { Failure } from "../../../base/result.ts";
import type { IssuerRow } from "../../issuers/mod.ts";
import type { BatchRow } from "./rows.ts";

/** The issuer for which somebody acts, and whether live or as a test. */
export interface BatchOwner {
  issuer: IssuerRow;
  test: boolean;
}

/** The issuer and mode whose batches are read. */
export interface BatchRef {
  issuer: { id: string };
  test: boolean;
}

export type BatchResult = { ok: true; batch: BatchRow } | Failure;

/** Returns whether a batch is one of an issuer and mode. */
export const isOf = ({ issuer, test }: BatchRef, row: BatchRow | null): row is BatchRow =>
  row !== null && row.issuer === issuer.id && row.test === test;
