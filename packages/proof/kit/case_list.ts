/** One request to a program, with the response that the standard requires. */
export interface Case {
  /** Its place among the cases, from 1. */
  id: number;
  title: string;
  /** The request as one line of JSON. */
  line: string;
  /** The members that the response must have. Others are ignored. */
  expected: Readonly<Record<string, string | number | boolean>>;
  /** True for what a verifier need not offer. A program may respond that it is unsupported. */
  optional: boolean;
}

/** Collects cases and numbers them. */
export class CaseList {
  readonly all: Case[] = [];

  /** Adds a case whose members are JSON text, so that they are sent exactly as the standard prints them. */
  addText(
    title: string,
    members: Record<string, string>,
    expected: Case["expected"],
    optional = false,
  ) {
    const id = this.all.length + 1;
    const text = Object.entries({ id: String(id), ...members })
      .map(([name, value]) => `"${name}":${value}`);
    this.all.push({ id, title, line: `{${text.join(",")}}`, expected, optional });
  }

  add(
    title: string,
    members: Record<string, unknown>,
    expected: Case["expected"],
    optional = false,
  ) {
    const texts = Object.entries(members).filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, JSON.stringify(value)]);
    this.addText(title, Object.fromEntries(texts), expected, optional);
  }
}
