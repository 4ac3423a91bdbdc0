/** Thrown for invalid variables; has one line for each, with its name and the expected value. */
export class ConfigError extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join("\n"));
    this.name = "ConfigError";
  }
}
