import { createHash } from "node:crypto";

/**
 * Issues the tokens with which clients read and write. They contain when they expire, so that they
 * are still accepted after a restart of the server.
 */
export class DataTokens {
  /** @param accessToken that of the server, from which the tokens derive */
  constructor(
    private readonly accessToken: string,
    private readonly lifetimeMs: number,
  ) {}

  issue(): { token: string; expiresAt: number } {
    const expiresAt = Date.now() + this.lifetimeMs;
    return { token: this.#tokenOf(expiresAt), expiresAt };
  }

  accepts(token: string): boolean {
    const expiresAt = Number(token.split("-")[0]);
    return expiresAt > Date.now() && token === this.#tokenOf(expiresAt);
  }

  #tokenOf(expiresAt: number): string {
    const hash = createHash("sha256").update(`${expiresAt} ${this.accessToken}`).digest("hex");
    return `${expiresAt}-${hash}`;
  }
}
