/**
 * The problems of the fields and the file of a request or a row, by field.
 *
 * @module
 */
import type { z } from "zod";
import { fail, type Failure } from "../../base/result.ts";
import { PDF_PROBLEMS } from "../documents/mod.ts";

const MAX_ISSUES = 20;

/** Returns one message for each field that is invalid, by its name. */
export function issuesOf(error: z.ZodError): Record<string, string> {
  const issues: Record<string, string> = Object.create(null);
  for (const issue of error.issues.slice(0, MAX_ISSUES)) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys.slice(0, MAX_ISSUES)) {
        issues[[...issue.path, key].join(".").slice(0, 200)] ??= "There is no such field.";
      }
    } else issues[issue.path.join(".") || "body"] ??= issue.message;
  }
  return issues;
}

/** Returns the failure of a file as one of the field `file`, if it is about its content. */
export function fileProblem(failure: Failure): Failure {
  const { error, message } = failure;
  if (error === "empty") return invalidFile("The file is empty.");
  const isInFile = error !== "too_large" && Object.hasOwn(PDF_PROBLEMS, error);
  return isInFile
    ? invalidFile(message ?? PDF_PROBLEMS[error as keyof typeof PDF_PROBLEMS])
    : failure;
}

const invalidFile = (problem: string): Failure =>
  fail("invalid_request", { message: INVALID, issues: { file: problem } });

/** The message of a failure whose `issues` name the fields. */
export const INVALID = "Some fields are missing or invalid.";
