/** Requests of other services, such as the SMS provider and other logs, whose costs are counted. */
import { twilioSignature } from "../../lib/features/codes/providers/signature.ts";
import { originHash } from "../../lib/features/witness/mod.ts";
import type { CostRequest, CostRequests } from "./requests.ts";
import type { PeopleSite, WitnessSite } from "./sites.ts";

/** The requests of the provider of codes. */
export function callbackRequests({ site: { services } }: PeopleSite): CostRequests {
  let messages = 0;
  const callback = (path: string, form: Record<string, string>): CostRequest => {
    const { provider } = services.config.codes;
    const token = provider?.name === "sandbox" && provider.account?.authToken || "";
    const url = services.surfaces.url("trust", path)!;
    const headers = { accept: "*/*", "x-twilio-signature": twilioSignature(token, url, form) };
    return { on: "trust", path, form, headers };
  };
  return {
    "trust POST /api/codes/status": () =>
      callback("/api/codes/status", {
        MessageSid: `SM${String(++messages).padStart(32, "0")}`,
        MessageStatus: "delivered",
      }),
    "trust POST /api/codes/voice": callback("/api/codes/voice", {
      CallSid: `CA${"0".repeat(32)}`,
      CallStatus: "in-progress",
      Digits: "1",
    }),
  };
}

/** The requests of other logs to a witness, and those of monitors. */
export function witnessRequests({ log }: WitnessSite): CostRequests {
  const monitor = `/monitor/${originHash(log.origin)}`;
  return {
    "witness POST /add-checkpoint": async () => {
      const old = log.size();
      log.append(`entry ${old}`);
      const body = await log.request(old);
      return { on: "witness", path: "/add-checkpoint", body, headers: { accept: "*/*" } };
    },
    "witness /monitor/…/checkpoint": { on: "witness", path: `${monitor}/checkpoint` },
    "witness /monitor/…/refused": { on: "witness", path: `${monitor}/refused` },
  };
}
