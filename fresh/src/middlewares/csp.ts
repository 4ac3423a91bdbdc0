import { internalsOf } from "../context.ts";
import { mutable } from "./mutable.ts";
import type { Middleware } from "../types.ts";

export interface CSPOptions {
  /** Report violations without preventing them. */
  reportOnly?: boolean;
  /** Where violations are reported to. */
  reportTo?: string;
  /** Directives that are added, or replace the default of the same name. */
  csp?: string[];
  /** Allow the page's own inline scripts and styles by nonce instead of `'unsafe-inline'`. */
  useNonce?: boolean;
}

const DEFAULTS = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
];

/** Sets a Content-Security-Policy on every answer that passes. */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const { reportOnly = false, reportTo, useNonce = false } = options;
  const directives = new Map(DEFAULTS.map((line) => [nameOf(line), line]));
  for (const line of options.csp ?? []) directives.set(nameOf(line), line);
  if (reportTo !== undefined) {
    directives.set("report-to", "report-to csp-endpoint");
    directives.set("report-uri", `report-uri ${reportTo}`);
  }
  const policy = [...directives.values()].join("; ");
  const header = reportOnly ? "content-security-policy-report-only" : "content-security-policy";
  // An answer without a nonce has no inline scripts or styles of ours.
  const closed = useNonce ? policy.replaceAll(" 'unsafe-inline'", "") : policy;
  return async (ctx) => {
    const response = mutable(await ctx.next());
    const nonce = useNonce ? internalsOf(ctx).nonce : "";
    response.headers.set(
      header,
      nonce === "" ? closed : policy.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`),
    );
    if (reportTo !== undefined) {
      response.headers.set("reporting-endpoints", `csp-endpoint="${reportTo}"`);
    }
    return response;
  };
}

function nameOf(directive: string): string {
  return directive.trim().split(/\s/, 1)[0].toLowerCase();
}
