/** A stand-in for Google's push service, which rejects what the real one rejects. */
import { generateKeyPairSync } from "node:crypto";
import { importSPKI, jwtVerify } from "jose";
import { z } from "zod";
import type { FcmConfig } from "../../variables.ts";
import { HOUR_MS, SECOND_MS } from "../../../../base/time.ts";
import { behaviourOf } from "./behaviours.ts";
import { parse, type StandInReply, type StandInRequest } from "./request.ts";

const PROJECT = "gatehouse-sandbox";
const ACCOUNT = "push@gatehouse-sandbox.iam.gserviceaccount.com";
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const MAX_BODY = 4_096;

const notification = z.strictObject({ title: z.string(), body: z.string().optional() });
const messageSchema = z.strictObject({
  message: z.strictObject({
    token: z.string().min(1),
    notification,
    data: z.record(z.string(), z.string()),
    android: z.strictObject({
      collapse_key: z.string(),
      priority: z.enum(["NORMAL", "HIGH"]),
      ttl: z.string().regex(/^\d+(\.\d+)?s$/),
      notification: z.strictObject({ tag: z.string() }),
    }),
  }),
});

let keys: { publicKey: string; privateKey: string } | undefined;

/** Returns the key of every stand-in of this process, because making one takes up to half a second. */
const rsaKeys = () =>
  keys ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

/** The stand-in for Firebase Cloud Messaging and the server that issues its tokens. */
export function createStandInFcm(clock: () => number) {
  const { publicKey, privateKey } = rsaKeys();
  let audience = "";
  /** When each access token expires. */
  const issued = new Map<string, number>();

  const config = (url: string): FcmConfig => {
    audience = `${url}/token`;
    return {
      apiBase: url,
      tokenUrl: audience,
      projectId: PROJECT,
      clientEmail: ACCOUNT,
      privateKey,
    };
  };

  /** Handles `POST /token`. */
  async function token({ body }: StandInRequest): Promise<StandInReply> {
    const form = new URLSearchParams(new TextDecoder().decode(body));
    if (form.get("grant_type") !== GRANT) {
      return { status: 400, body: { error: "unsupported_grant_type" } };
    }
    try {
      const { payload } = await jwtVerify(
        form.get("assertion") ?? "",
        await importSPKI(publicKey, "RS256"),
        { algorithms: ["RS256"], issuer: ACCOUNT, audience, currentDate: new Date(clock()) },
      );
      const { iat = 0, exp = Infinity, scope } = payload;
      if (exp - iat > HOUR_MS / SECOND_MS || scope !== SCOPE) throw new Error("not acceptable");
    } catch {
      return { status: 400, body: { error: "invalid_grant" } };
    }
    const access_token = crypto.randomUUID();
    issued.set(access_token, clock() + HOUR_MS);
    return { status: 200, body: { access_token, expires_in: 3_600, token_type: "Bearer" } };
  }

  /** Handles `POST /v1/projects/<project>/messages:send`. */
  function send(project: string, { headers, body }: StandInRequest): StandInReply {
    const fail = (status: number, code: string, details: unknown[] = []): StandInReply => ({
      status,
      reason: code,
      body: { error: { code: status, message: code, status: code, details } },
    });
    const failFcm = (status: number, errorCode: string) =>
      fail(status, errorCode, [{
        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
        errorCode,
      }]);
    const invalid = (field: string) =>
      fail(400, "INVALID_ARGUMENT", [
        {
          "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
          errorCode: "INVALID_ARGUMENT",
        },
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field, description: "Invalid value" }],
        },
      ]);
    const bearer = headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    if ((issued.get(bearer) ?? 0) <= clock()) return fail(401, "UNAUTHENTICATED");
    if (project !== PROJECT) return fail(403, "PERMISSION_DENIED");
    if (body.length > MAX_BODY) return invalid("message");
    const parsed = messageSchema.safeParse(parse(body));
    if (!parsed.success) return invalid(parsed.error.issues[0].path.join("."));
    const { message } = parsed.data;
    switch (behaviourOf(message.token)) {
      case "gone":
        return failFcm(404, "UNREGISTERED");
      case "bad":
        return invalid("message.token");
      case "busy":
        return { ...failFcm(429, "QUOTA_EXCEEDED"), headers: { "retry-after": "60" } };
      case "error":
        return fail(500, "INTERNAL");
      case "unavailable":
        return { ...fail(503, "UNAVAILABLE"), headers: { "retry-after": "30" } };
    }
    if (message.token.startsWith("mismatch-")) return failFcm(403, "SENDER_ID_MISMATCH");
    const { notification: { title: text }, data, android: { collapse_key: collapse } } = message;
    return {
      status: 200,
      body: { name: `projects/${PROJECT}/messages/${crypto.randomUUID()}` },
      shown: { text, seq: Number(data.seq), collapse },
    };
  }
  return { config, token, send, withdraw: () => issued.clear() };
}

/** Returns the device token of a message, to show it. */
export const tokenOf = (body: Uint8Array): string =>
  messageSchema.safeParse(parse(body)).data?.message.token ?? "";
