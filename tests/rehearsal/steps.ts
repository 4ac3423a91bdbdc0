/**
 * The steps of the rehearsal, in parts that follow sections of the documents.
 *
 * @module
 */
import type { Machine, Ran } from "./machine.ts";

/**
 * Throws if something is not as the document says.
 *
 * @param ran the command of the step, or else the last one
 */
type Check = (machine: Machine, ran: Ran) => Promise<void> | void;

/** Follows a command of a section. */
export interface RunStep {
  /** How the command begins in the document. */
  run: string;
  /** Texts of the command, and what they are replaced by, as a reader would. */
  with?: (machine: Machine) => Record<string, string> | Promise<Record<string, string>>;
  /** The name of the process, if the command runs until it is stopped. */
  starts?: string;
  /** The expected status. Default: 0. */
  status?: number;
  /** The lines that the command is given, as a person types them. */
  input?: (machine: Machine) => string;
  /** Checks what the command did. */
  check?: Check;
}

/** Adds a line of a section to /etc/gatehouse.env. */
interface AddsStep {
  /** How the line begins in the document. */
  adds: string;
  with?: RunStep["with"];
}

/** Checks a sentence of a section. */
interface SaysStep {
  /** The sentence, as the document has it. */
  says: string;
  check: Check;
}

/** A line of a block of code that the rehearsal does not follow. */
interface LeftOutStep {
  /** How the line begins in the document. */
  leavesOut: string;
  because: string;
}

/** Does something that no document describes: what people do, and what goes wrong. */
interface EventStep {
  happens: string;
  act: (machine: Machine) => Promise<void>;
}

export type Step = RunStep | AddsStep | SaysStep | LeftOutStep | EventStep;

/** A section, and the steps that follow it. */
export interface Followed {
  document: string;
  heading: string;
  /** True if `deno task` is replaced by `deploy/gatehouse.sh run`, as docs/ops/systemd.md says. */
  onTheStore?: boolean;
  steps: Step[];
}

/** A part of the incident. */
export interface Part {
  title: string;
  sections: Followed[];
}

/** The steps that follow a line of a block of code, by how it begins. */
export const lineOf = (step: Step): string | null =>
  "run" in step
    ? step.run
    : "adds" in step
    ? step.adds
    : "leavesOut" in step
    ? step.leavesOut
    : null;
