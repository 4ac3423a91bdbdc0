/**
 * The texts of the files that `deno task setup` writes: the variables, and the files of the proxy.
 *
 * @module
 */
import type { Variables } from "./questions.ts";

/** A part of the file of variables. */
export interface Section {
  comment: string;
  variables: Variables;
}

/** A value that does not have the same meaning in a shell, for systemd and for Compose. */
export class QuotingError extends Error {}

/** Returns the text of a file of variables, which a shell, systemd and Compose read alike. */
export const environmentText = (sections: readonly Section[]): string =>
  sections.map(({ comment, variables }) => {
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${quote(name, value)}`);
    return [...comment.split("\n").map((line) => `# ${line}`), ...lines, ""].join("\n");
  }).join("\n");

/** @throws {QuotingError} for a value that would need escapes, which the three read differently */
function quote(name: string, value: string): string {
  if (/^[\w.,:/@%+=-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  if (!/["$`\\]/.test(value)) return `"${value}"`;
  throw new QuotingError(
    `${name}: should not contain an apostrophe together with a double quote, a dollar sign, a backtick or a backslash`,
  );
}

/** A file of a proxy: where it belongs, and its text. */
export interface ProxyFile {
  path: string;
  text: string;
}

/** The hosts that the files in docs/ops have in place of those of an installation. */
const EXAMPLE_HOSTS = /qualpack\.example[\w\s.,]*trust\.example/;

/** The end of these files, with a relay that a new installation does not have. */
const RELAYS = /\n# Relays: [^]*$/;

const PROXIES: Record<string, { separator: string; files: Record<string, string> }> = {
  nginx: {
    separator: " ",
    files: {
      "nginx.conf": "/etc/nginx/conf.d/gatehouse.conf",
      "nginx_proxy.conf": "/etc/nginx/gatehouse_proxy.conf",
    },
  },
  caddy: { separator: ", ", files: { "Caddyfile": "/etc/caddy/Caddyfile" } },
};

/** Returns the files of a proxy in docs/ops, with the hosts of an installation. */
export async function proxyFiles(
  proxy: string,
  hosts: readonly string[],
): Promise<ProxyFile[]> {
  const { separator, files } = PROXIES[proxy] ?? { separator: "", files: {} };
  return await Promise.all(
    Object.entries(files).map(async ([name, path]) => {
      const url = new URL(`../../../../docs/ops/${name}`, import.meta.url);
      const text = await Deno.readTextFile(url);
      return { path, text: text.replace(RELAYS, "").replace(EXAMPLE_HOSTS, hosts.join(separator)) };
    }),
  );
}
