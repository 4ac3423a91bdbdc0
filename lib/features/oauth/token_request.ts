/** Reads the form parameters of requests to `/token` and `/revoke`. */
import { z } from "zod";

/** The maximum length of a parameter. All that this server issues or accepts are shorter. */
const MAX_PARAMETER = 2_000;
const MAX_RESOURCES = 10;

const parameter = z.string().min(1).max(MAX_PARAMETER);
const client_id = parameter;
const resource = z.array(parameter).max(MAX_RESOURCES);

const codeRequest = z.object({
  client_id,
  resource,
  code: parameter,
  redirect_uri: parameter.optional(),
  /** RFC 7636, section 4.1. */
  code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
});

const refreshRequest = z.object({
  client_id,
  resource,
  refresh_token: parameter,
  scope: z.string().max(500).optional(),
});

/** The parameters of `/revoke` (RFC 7009, section 2.1). */
const revocation = z.object({ client_id: parameter.optional(), token: parameter });

/** The parameters of `grant_type=authorization_code`. */
export type CodeRequest = z.output<typeof codeRequest>;
/** The parameters of `grant_type=refresh_token`. */
export type RefreshRequest = z.output<typeof refreshRequest>;

/** A form by its parameters. Only `resource` may be repeated (RFC 8707, section 2). */
export type TokenForm = Record<string, string | string[] | undefined> & { resource: string[] };

/** A request, or the name of its first parameter that is missing or malformed. */
export type Read<Request> = { request: Request } | { request: null; parameter: string };

const reader = <Request>(schema: z.ZodType<Request>) => (form: TokenForm): Read<Request> => {
  const parsed = schema.safeParse(form);
  return parsed.success
    ? { request: parsed.data }
    : { request: null, parameter: String(parsed.error.issues[0].path[0]) };
};

export const readCodeRequest = reader(codeRequest);
export const readRefreshRequest = reader(refreshRequest);
export const readRevocation = reader(revocation);
