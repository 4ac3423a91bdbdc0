import { parseArgs } from "node:util";
import { hashSchema } from "../event.ts";
import { keysUrl } from "../reader/mod.ts";

/** What the command was asked to verify, and what its caller knows from elsewhere. */
export interface VerifyOptions {
  /** An address or a file. */
  target: string;
  /** The record's hash. */
  hash?: string;
  /** The publisher's host. */
  publisher?: string;
  /** A file with a copy of the publisher's key set. */
  keys?: string;
  /** Where the chain is to be kept. */
  save?: string;
  /** No network: a file's own keys must do. */
  offline: boolean;
}

export const USAGE = `Usage: deno task verify <address or file> [options]

  <address>             a chain's (…/api/chain/<hash>) or its page's (…/verify?hash=<hash>)
  <file>                a chain that was saved as JSON

  --hash <hash>         the record's hash, from a QR code, a print or a link that was kept
  --publisher <host>    whose chain it must be
  --keys <file>         a copy of the publisher's key set, instead of asking for it
  --offline             ask nobody: the keys are those in the file
  --save <file>         keep the whole chain as JSON

Exits with 0 where the chain is verified, 1 where it is not, 2 where it could not be read.`;

/** The options of a command line; or what is wrong with it. */
export function parseOptions(args: string[]): VerifyOptions | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        hash: { type: "string" },
        publisher: { type: "string" },
        keys: { type: "string" },
        save: { type: "string" },
        offline: { type: "boolean", default: false },
      },
    });
    if (positionals.length !== 1) return "One address or file is wanted.";
    const hash = values.hash?.trim().toLowerCase();
    const publisher = values.publisher?.trim().toLowerCase();
    if (hash !== undefined && !hashSchema.safeParse(hash).success) {
      return "--hash wants 64 hexadecimal digits.";
    }
    if (publisher !== undefined && keysUrl(publisher) === null) {
      return "--publisher wants a host, such as trust.example or trust.example:8443.";
    }
    return { ...values, offline: values.offline, target: positionals[0], hash, publisher };
  } catch (error) {
    return (error as Error).message;
  }
}
