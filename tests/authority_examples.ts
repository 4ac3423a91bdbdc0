/** A valid request for each route that changes something, for the tests of authority. */
import { createECDH } from "node:crypto";
import { unwrap } from "../lib/platform/http/errors.ts";
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { newEndpointSchema } from "../lib/features/webhooks/mod.ts";
import type { AuthoritySite, Sender } from "./authority_site.ts";
import type { Halved } from "./parked_request.ts";
import { CASES } from "./separation_cases.ts";

/** An unsafe request that demands an authority. */
export interface Example {
  by: "operator" | "user" | "holder" | "key" | "testKey" | "app";
  /** Returns the path below the route, with the body, for a sender; it may prepare what the request needs. */
  request(
    world: AuthoritySite,
    sender: Sender,
  ): Request | Promise<Request>;
  /** True if it commits nothing, so that only a slow body is noticed. */
  onlyReads?: boolean;
  /** The status of a sender who has the authority. Default: below 400. */
  status?: number;
}

type Request = { path: string; body: Halved["body"]; method?: string };

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

const fixed = (
  by: Example["by"],
  path: string,
  body: Halved["body"],
  { method, ...options }: Pick<Example, "status" | "onlyReads"> & { method?: string } = {},
): Example => ({ by, ...options, request: () => ({ path, body, method }) });

const key = (request: (id: string) => Request, by: "key" | "testKey" = "key"): Example => ({
  by,
  request: async (world, sender) => request(await world.issue(sender.key!)),
});

/** A request about a new webhook with a delivery that has failed, which may be paused. */
const webhook = (
  request: (id: string, delivery: string) => Request,
  { paused = false, onlyReads = false } = {},
): Example => ({
  by: "key",
  onlyReads,
  async request({ site: { services }, api }) {
    const { webhooks, kv, clock } = services;
    const owner = { issuer: api.issuer.id, mode: "live", key: "none" } as const;
    for (const { id } of await webhooks.list(owner)) await webhooks.remove({ ...owner, id }, null);
    const url = "https://records.harbour.example/events";
    const input = newEndpointSchema.parse({ url, events: ["document.accepted"] });
    const { endpoint } = unwrap(await webhooks.create(owner, input));
    const commit = kv.atomic();
    const event = { issuer: api.issuer.id, test: false, type: "document.accepted" } as const;
    const send = await webhooks.add(commit, { ...event, data: DATA, now: clock() });
    await commit.commit();
    send();
    await webhooks.flush();
    const { deliveries: [delivery] } = unwrap(await webhooks.deliveries(endpoint));
    if (paused) await webhooks.pause(endpoint, null);
    return request(endpoint.id, delivery.id);
  },
});

const DATA = {
  id: "k3v9-qxw2-m7rb-t4hd",
  external_id: "2026-0117",
  test: false,
  state: "current",
  version: 1,
  url: "https://trust.example/d/K3V9QXW2M7RBT4HD",
  verify_url: "https://trust.example/check",
  recipient: null,
} as never;

const newDocument = () => ({
  recipient: { name: "Grace", email: `${crypto.randomUUID()}@example.org` },
  title: "A",
  type: "B",
  file: btoa(crypto.randomUUID()),
  file_name: "a.txt",
});

function batchForm(): FormData {
  const form = new FormData();
  form.set("title", "A");
  form.set("date", "2026-11-20");
  // The same file would be refused for ten minutes.
  const csv = `name,email\nEve,${crypto.randomUUID()}@example.org\n`;
  form.set("file", new File([csv], "a.csv"));
  return form;
}

/** A batch with one row, which has not begun. */
const batch = (act: string): Example => ({
  by: "key",
  async request({ site: { services: { batches, issuers } }, api }) {
    const issuer = (await issuers.read("commercial", api.issuer.id))!;
    const owner = { issuer, test: false };
    for (const { id } of await batches.list(owner)) await batches.cancel(owner, id, "key k1");
    const rows = unwrap(
      await batches.check(
        issuer,
        new Blob(["name,email\nGrace,grace@example.org\n"]).stream(),
        batchDefaults.parse({ title: "A", type: "Certificate", date: "2026-11-20" }),
      ),
    ).rows;
    const added = unwrap(await batches.add(owner, { name: "a.csv", by: "key k1", rows }));
    return { path: `/api/documents/batches/${added.batch.id}/${act}`, body: {} };
  },
});

/** Why the unsafe requests of a route have no example here: the test that has one, or why none is needed. */
export const ELSEWHERE: Record<string, string> = {
  "/my-record/authorize": "The consent is in tests/oauth_consent_test.ts.",
  "/dev/push": "It exists only in development.",
  "/my-record/number": "It does not read its body.",
  "/api/bank/refresh": "It does not read its body.",
  "/console/records/:hash/documents/:id/printed": "It does not read its body.",
};

/** Those of the consoles are the cases of the test of separation. */
const consoles = Object.fromEntries(
  Object.entries(CASES).flatMap(([route, cases]): [string, Example][] => {
    const posts = cases.filter(({ form, json }) => form !== undefined || json !== undefined);
    const each = posts.find(({ conflict, kind }) => !conflict && kind !== "list") ?? posts[0];
    if (each === undefined) return [];
    const example: Example = {
      by: "operator",
      status: each.conflict && !route.endsWith("/reply") ? 409 : undefined,
      onlyReads: each.kind === "find" || route === "/console/users",
      request({ ids }) {
        const fields = each.form?.(ids, ids);
        if (!each.file) {
          const body = fields === undefined ? each.json!(ids) as object : form(fields);
          return { path: each.path(ids, ids), body };
        }
        const body = new FormData();
        for (const [name, value] of Object.entries(fields!)) body.set(name, value);
        const bytes = each.file === true ? crypto.randomUUID() : each.file;
        body.set("file", new File([bytes], "new.txt"));
        return { path: each.path(ids, ids), body };
      },
    };
    return route in ELSEWHERE ? [] : [[route, example]];
  }),
);

const NO_ENDPOINT = "https://push.example/none";
/** The public key of a browser's subscription. */
const POINT = createECDH("prime256v1").generateKeys("base64url");
const SUBSCRIPTION = {
  endpoint: "https://fcm.googleapis.com/fcm/send/a",
  expirationTime: null,
  keys: { p256dh: POINT, auth: "A".repeat(22) },
  vapid: POINT,
};

/** An example of each unsafe route that demands an authority, by its pattern and, if it has several, a name. */
export const EXAMPLES: Record<string, Example> = {
  ...consoles,
  "/console/inbox/:hash/reply": {
    ...consoles["/console/inbox/:hash/reply"],
    status: 409, // the case above has changed the enquiry
  },
  "/console/issuers": fixed("operator", "/console/issuers", {
    get name() {
      return crypto.randomUUID();
    },
  }),
  "/console/team": fixed(
    "operator",
    "/console/team",
    form({ act: "invite", email: "thief@example.org", layer: "L1" }),
  ),
  "/console/team/passkeys": fixed(
    "operator",
    "/console/team/passkeys",
    form({ act: "rename", id: "a".repeat(64), name: "Mine" }),
    { status: 404, onlyReads: true },
  ),
  "/api/auth/passkey/confirm": fixed("operator", "/api/auth/passkey/confirm", {}),
  "/api/auth/passkey/register": fixed("operator", "/api/auth/passkey/register", {}),
  "/account/saved": fixed("user", "/account/saved", form({ save_search: "?q=care" })),

  "/api/documents": {
    by: "key",
    request: () => ({ path: "/api/documents", body: newDocument() }),
  },
  "/api/documents/check": {
    by: "key",
    request: () => ({ path: "/api/documents/check", body: newDocument() }),
  },
  "/api/documents/:id/versions": key((id) => ({
    path: `/api/documents/${id}/versions`,
    body: { file: btoa(crypto.randomUUID()), file_name: "b.txt" },
  })),
  "/api/documents/:id/withdraw": key((id) => ({
    path: `/api/documents/${id}/withdraw`,
    body: { reason: "Wrong" },
  })),
  "/api/documents/:id/resend": key((id) => ({ path: `/api/documents/${id}/resend`, body: {} })),
  "/api/documents/:id/simulate": key((id) => ({
    path: `/api/documents/${id}/simulate`,
    body: { as: "accepted" },
  }), "testKey"),
  "/api/documents/batches": {
    by: "key",
    request: () => ({ path: "/api/documents/batches", body: batchForm() }),
  },
  "/api/documents/batches/check": {
    by: "key",
    request: () => ({ path: "/api/documents/batches/check", body: batchForm() }),
  },
  "/api/documents/batches/:id/send": batch("send"),
  "/api/documents/batches/:id/cancel": batch("cancel"),
  "/api/documents/webhooks": {
    by: "key",
    request: () => ({
      path: "/api/documents/webhooks",
      body: { url: `https://${crypto.randomUUID()}.harbour.example/` },
    }),
  },
  "/api/documents/webhooks/:id": webhook((id) => ({
    path: `/api/documents/webhooks/${id}`,
    body: { events: ["document.refused"] },
  })),
  "/api/documents/webhooks/:id/pause": webhook((id) => ({
    path: `/api/documents/webhooks/${id}/pause`,
    body: {},
  })),
  "/api/documents/webhooks/:id/resume": webhook((id) => ({
    path: `/api/documents/webhooks/${id}/resume`,
    body: {},
  }), { paused: true }),
  "/api/documents/webhooks/:id/rotate": webhook((id) => ({
    path: `/api/documents/webhooks/${id}/rotate`,
    body: {},
  })),
  "/api/documents/webhooks/:id/test": webhook((id) => ({
    path: `/api/documents/webhooks/${id}/test`,
    body: {},
  })),
  "/api/documents/webhooks/:id/replay": webhook((id) => ({
    path: `/api/documents/webhooks/${id}/replay`,
    body: { since: "2026-03-01T00:00:00Z" },
  }), { onlyReads: true }),
  "/api/documents/webhooks/:id/deliveries/:delivery/replay": webhook((id, delivery) => ({
    path: `/api/documents/webhooks/${id}/deliveries/${delivery}/replay`,
    body: {},
  })),

  "/api/push/register": fixed("holder", "/api/push/register", {
    platform: "android",
    token: "a-phone",
  }),
  "/api/push/register by an app": fixed("app", "/api/push/register", {
    platform: "android",
    token: "another-phone",
  }),
  "/api/push/register DELETE": fixed(
    "holder",
    "/api/push/register",
    { platform: "android", token: "a-phone" },
    { method: "DELETE", onlyReads: true },
  ),
  "/api/push/subscribe": fixed("holder", "/api/push/subscribe", SUBSCRIPTION),
  "/api/push/subscribe DELETE": fixed("holder", "/api/push/subscribe", { endpoint: NO_ENDPOINT }, {
    method: "DELETE",
    onlyReads: true,
  }),
  "/api/auth/register-passkey": fixed("holder", "/api/auth/register-passkey", {}),
  "/api/auth/otp/send": fixed(
    "holder",
    "/api/auth/otp/send",
    { method: "sms", purpose: "confirm_number" },
    { status: 404, onlyReads: true },
  ),
  "/api/auth/otp/verify": fixed(
    "holder",
    "/api/auth/otp/verify",
    { code: "123456", purpose: "confirm_number" },
    { status: 400, onlyReads: true },
  ),
  "/my-record/agents": fixed("holder", "/my-record/agents", form({ act: "disconnect_all" }), {
    onlyReads: true,
  }),
  "/my-record/issuers": fixed(
    "holder",
    "/my-record/issuers",
    form({ act: "end", issuer: "none" }),
    { onlyReads: true },
  ),
  "/my-record/choose": {
    by: "holder",
    request: (_, sender) => ({
      path: "/my-record/choose",
      body: form({ record: sender.hash! }),
    }),
  },
  "/my-record/correct": {
    by: "holder",
    request: () => ({
      path: "/my-record/correct",
      body: {
        name: "Thea Thief",
        organisation: "Analytical Engines",
        email: `${crypto.randomUUID()}@example.org`,
        enquiry_type: "Investor",
        message: "A message.",
      },
    }),
  },
  "/my-record/declaration": fixed(
    "holder",
    "/my-record/declaration",
    form({ text: "I intend this record for something else.", deliberate: "1" }),
  ),
  "/my-record/delete": {
    by: "holder",
    request: (_, sender) => ({
      path: "/my-record/delete",
      body: form({ digits: sender.hash!.slice(-4) }),
    }),
  },
  "/my-record/key": fixed("holder", "/my-record/key", { act: "show" }, {
    status: 403,
    onlyReads: true,
  }),
  "/my-record/notifications": fixed("holder", "/my-record/notifications", {
    act: "choose",
    from: "22:00",
    to: "07:00",
    zone: "Europe/Paris",
  }),
  "/my-record/passkeys": fixed(
    "holder",
    "/my-record/passkeys",
    form({ act: "rename", id: "a".repeat(64), name: "Mine" }),
    { status: 404, onlyReads: true },
  ),
  "/my-record/requests": fixed(
    "holder",
    "/my-record/requests",
    { act: "approve", id: "196QBKBC3SHCGGTF" },
    { status: 404, onlyReads: true },
  ),
  "/my-record/share": fixed(
    "holder",
    "/my-record/share?document=MK8TW8JV4SQQVM42",
    { act: "create", days: "7", openings: "1", form: "5b5c8a0e-3b0f-4d3f-8a55-6a6a3c1f9d11" },
    { status: 404, onlyReads: true },
  ),
  "/my-record/sign-out": fixed("holder", "/my-record/sign-out", form({ everywhere: "1" })),
};
