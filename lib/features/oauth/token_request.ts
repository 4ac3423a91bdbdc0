import { z } from "zod";
import { isFormPost, readText } from "../../platform/http/body.ts";
import { fail, type Failure } from "../../base/result.ts";

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

/** The largest form, in bytes. */
const FORM_LIMIT = 16 * 1024;

/** Why a request has no form that can be read. */
type FormFailure = Failure<"invalid_request" | "invalid_client"> & {
  message: string;
  /** The scheme that the response names, because the client used it (RFC 6749, section 5.2). */
  scheme?: "Basic";
};

/**
 * Reads the form of `/token` or `/revoke`, which a public client sends without a secret. An empty
 * parameter counts as omitted (RFC 6749, section 3.2).
 */
export async function readTokenForm(
  req: Request,
): Promise<{ ok: true; form: TokenForm } | FormFailure> {
  const text = isFormPost(req) ? await readText(req, FORM_LIMIT) : undefined;
  if (text === undefined) {
    return refuse("invalid_request", `Send a form with at most ${FORM_LIMIT} bytes.`);
  }
  const form: TokenForm = Object.assign(Object.create(null), { resource: [] });
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === "") continue;
    if (name === "resource") form.resource.push(value);
    else if (form[name] === undefined) form[name] = value;
    else return refuse("invalid_request", "A parameter was sent more than once.");
  }
  if (req.headers.has("authorization") || form.client_secret !== undefined) {
    const message = "Clients are public: send client_id, without a secret.";
    return { ...refuse("invalid_client", message), scheme: "Basic" };
  }
  return { ok: true, form };
}

const refuse = (error: FormFailure["error"], message: string): FormFailure => ({
  ...fail(error),
  message,
});

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
