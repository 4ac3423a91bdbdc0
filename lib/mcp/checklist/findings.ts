import type { z } from "zod";
import { issuesLine } from "../protocol.ts";
import type { Reply } from "./probe.ts";

/** What a point found: any fault fails it, else any note makes it noted. */
export interface Findings {
  faults: string[];
  notes: string[];
}

/** What the first exchange gave, which most points look at. */
export interface Handshake {
  reply: Reply | undefined;
  result: unknown;
}

export function resultOf(reply: Reply | undefined): unknown {
  return (reply?.json as { result?: unknown } | undefined)?.result;
}

export function faultsOf(what: string, shape: z.ZodType, value: unknown): string[] {
  const parsed = shape.safeParse(value);
  return parsed.success ? [] : [`${what}: ${issuesLine(parsed.error)}`];
}

export function answerFaults(what: string, answer: unknown, id: number): string[] {
  if (typeof answer !== "object" || answer === null) return [`${what} got no JSON answer`];
  const { jsonrpc, id: answered, result, error } = answer as Record<string, unknown>;
  const faults: string[] = [];
  if (jsonrpc !== "2.0") faults.push(`the answer to ${what} has not "jsonrpc": "2.0"`);
  if (answered !== id) {
    faults.push(`the answer to ${what} has the id ${JSON.stringify(answered)}, not ${id}`);
  }
  if ((result === undefined) === (error === undefined)) {
    faults.push(`the answer to ${what} has not one of result and error`);
  }
  return faults;
}

export function expectCode(faults: string[], what: string, reply: Reply | undefined, code: number) {
  const { error } = (reply?.json ?? {}) as { error?: { code?: unknown; message?: unknown } };
  if (error?.code !== code || typeof error.message !== "string") {
    faults.push(
      `${what} was answered ${error ? error.code : statusOf(reply)}, not by the error ${code}`,
    );
  }
}

export function statusOf(reply: Reply | undefined): string {
  return reply ? String(reply.status) : "by nothing";
}
