/** A request for each route of the consoles, to test that organisations see nothing of each other. */
import { createPng } from "../lib/features/issuers/testing/images.ts";
import { type Ids } from "./separation_site.ts";

/** A request to a console, made from the ids of one organisation. */
export interface Case {
  /**
   * `list`: contains no ids. `find`: looks for objects, and finds none of another organisation.
   * `object` and `action`: read and change an object, which must be the organisation's own.
   */
  kind: "list" | "find" | "object" | "action";
  /** The path and query below the route, made from the ids and from those of the console itself. */
  path: (ids: Ids, own: Ids) => string;
  form?: (ids: Ids, own: Ids) => Record<string, string>;
  json?: (ids: Ids) => unknown;
  /** Sends the form as `multipart/form-data` with this file, or with any one. */
  file?: true | Uint8Array<ArrayBuffer>;
  /** True if board members may send it. */
  board?: true;
  /** The response shows no text or id of the objects, even of the console's own. */
  bare?: true;
  /** The state of the console's own objects does not allow it. */
  conflict?: boolean;
}

const list = (path: string, options: Partial<Case> = {}): Case => ({
  kind: "list",
  path: () => path,
  ...options,
});
const find = (path: Case["path"], options: Partial<Case> = {}): Case => ({
  kind: "find",
  path,
  ...options,
});
const object = (path: Case["path"], options: Partial<Case> = {}): Case => ({
  kind: "object",
  path,
  ...options,
});
const action = (path: Case["path"], form: Case["form"], options: Partial<Case> = {}): Case => ({
  kind: "action",
  path,
  form,
  ...options,
});

const recordPath = ({ record }: Ids) => `/console/records/${record}`;
const issuerPath = ({ issuer }: Ids) => `/console/issuers/${issuer}`;
const settingsPath = (ids: Ids) => `${issuerPath(ids)}/settings`;
const issuedPath = (ids: Ids) => `${issuerPath(ids)}/documents/${ids.issued}`;
/** A document of one organisation below an issuer of the other one. */
const mixedIssuedPath = ({ issued }: Ids, own: Ids) => `${issuerPath(own)}/documents/${issued}`;
const checkedPath = (ids: Ids) => `${issuerPath(ids)}/batches/${ids.checked}`;
const batchPath = (ids: Ids) => `${issuerPath(ids)}/batches/${ids.batch}`;
/** A batch of one organisation below an issuer of the other one. */
const mixedBatchPath = ({ batch }: Ids, own: Ids) => `${issuerPath(own)}/batches/${batch}`;
const inboxPath = ({ record }: Ids) => `/console/inbox/${record}`;
const FORM_KEY = "5b5c8a0e-3b0f-4d3f-8a55-6a6a3c1f9d11";
const documentPath = (ids: Ids) => `${recordPath(ids)}/documents/${ids.document}`;
/** A document of one organisation below a record of the other one. */
const mixedPath = ({ document }: Ids, own: Ids) => `${recordPath(own)}/documents/${document}`;
const alertsAction = (fields: Case["form"], options?: Partial<Case>) =>
  action(() => "/console/alerts", fields, options);

/** The texts to search for: parts of texts and ids, which only the results contain whole, and an address. */
const SEARCHES: ((ids: Ids) => string)[] = [
  ({ marker }) => marker.slice(0, -1),
  ({ marker }) => `holder@${marker}.example.com`,
  ({ record }) => record.slice(0, 20),
  ({ payment }) => payment.slice(0, -1),
];

/** The requests that try each route of the consoles. */
export const CASES: Record<string, Case[]> = {
  "/console": [list("/console", { board: true })],
  "/console/report": [list("/console/report", { board: true, bare: true })],
  "/console/finance": [list("/console/finance")],
  "/console/finance/:id": [
    ...["", "?format=json", "?format=csv"].map((query) =>
      object(({ account }) => `/console/finance/${account}${query}`)
    ),
    ...["?search=a", "?min=100", "?search=a&format=csv"].map((query) =>
      object(({ account }) => `/console/finance/${account}${query}`, { bare: true })
    ),
    find(
      ({ transaction }, { account }) => `/console/finance/${account}?transaction=${transaction}`,
      { bare: true },
    ),
  ],
  "/console/finance/flow": [list("/console/finance/flow", { bare: true })],
  "/console/finance/limits": [
    list("/console/finance/limits", { bare: true }),
    action(() => "/console/finance/limits", ({ account }) => ({ account, below: "100" })),
  ],
  "/console/surfaces": [list("/console/surfaces", { bare: true })],
  "/console/infra": [list("/console/infra", { bare: true })],
  "/console/search": [
    find(({ marker }) => `/console/search?q=${marker.slice(0, -1)}`, { board: true }),
    ...SEARCHES.flatMap((q) => [
      find(() => "/console/search", { form: (ids) => ({ q: q(ids) }), board: true }),
      find(() => "/console/search", { json: (ids) => ({ q: q(ids) }), board: true }),
    ]),
  ],
  "/console/alerts": [
    ...["", "?state=all", "?state=unread", "?kind=payment_failed", "?kind=mail_failed"].map((
      query,
    ) => list(`/console/alerts${query}`)),
    list("/console/alerts?state=done", { bare: true }),
    find(
      ({ alert }) => `/console/alerts?state=all&after=2026-03-13T23:00:00.000Z~${alert.slice(25)}`,
    ),
    alertsAction(({ alert }) => ({ act: "read", alert })),
    alertsAction(({ alert }) => ({ act: "done", alert })),
    alertsAction(({ alert }) => ({ act: "reopen", alert })),
    alertsAction(({ mailAlert, mail }) => ({ act: "send", alert: mailAlert, mail })),
    alertsAction(({ mailAlert }) => ({ act: "send", alert: mailAlert }), { conflict: true }),
    alertsAction(({ alert }) => ({ act: "unread", alert })),
    ...["undo", "approve", "revoke", "refuse"].map((action) =>
      alertsAction(({ request }) => ({ act: action, id: request, reason: "" }), {
        conflict: action === "refuse",
      })
    ),
  ],
  "/console/alerts/count": [list("/console/alerts/count", { bare: true })],
  "/console/inbox": [
    ...["", "?state=new", "?state=all", "?state=all&sort=oldest"].map((query) =>
      list(`/console/inbox${query}`)
    ),
    ...["open", "closed"].map((state) => list(`/console/inbox?state=${state}`, { bare: true })),
    find(({ record }) => `/console/inbox?after=2026-03-09T09:00:00.000Z~${record}`, { bare: true }),
    ...SEARCHES.slice(0, 3).map((text) =>
      find(() => "/console/inbox", { form: (ids) => ({ text: text(ids), state: "all" }) })
    ),
  ],
  "/console/inbox/:hash": [
    object(inboxPath),
    object((ids) => `${inboxPath(ids)}?state=all`),
    action(inboxPath, () => ({ act: "note", text: "A note.", key: FORM_KEY })),
    action(inboxPath, () => ({ act: "assign", owner: "", revision: "1" })),
    action(inboxPath, () => ({ act: "close", revision: "1" })),
    action(inboxPath, () => ({ act: "close", revision: "0" })),
    action(inboxPath, () => ({ act: "reopen", revision: "0" }), { conflict: true }),
  ],
  "/console/inbox/:hash/reply": [
    action((ids) => `${inboxPath(ids)}/reply`, () => ({
      text: "A reply.",
      name: "Ada",
      revision: "0",
      key: FORM_KEY.replace("5", "6"),
    }), { conflict: true }),
    action((ids) => `${inboxPath(ids)}/reply`, () => ({
      text: "A reply.",
      name: "Ada",
      revision: "2",
      key: FORM_KEY.replace("5", "6"),
    })),
  ],
  "/console/records": [
    ...["", "?type=Investor", "?level=1", "?confirmed=no", "?sort=oldest"].map((query) =>
      list(`/console/records${query}`, { board: true })
    ),
    list("/console/records?view=charts", { board: true, bare: true }),
    find(({ record }) => `/console/records?after=2026-03-09T12:00:00.000Z_${record}`, {
      board: true,
      bare: true,
    }),
    find(({ record }) => `/console/records?before=2026-03-09T09:00:00.000Z_${record}`, {
      board: true,
      bare: true,
    }),
    ...SEARCHES.slice(0, 3).flatMap((text) => [
      find(() => "/console/records", { form: (ids) => ({ text: text(ids) }) }),
      find(() => "/console/records", { form: (ids) => ({ text: text(ids), format: "csv" }) }),
    ]),
    find(() => "/console/records", { form: () => ({ format: "csv" }) }),
  ],
  "/console/records/:hash": [
    object(recordPath),
    object(({ recovery }) => `/console/records/${recovery}`),
    action(({ recovery }) => `/console/records/${recovery}`, () => ({ act: "cancel_recovery" })),
    action(
      recordPath,
      () => ({ act: "recover", email: "new@mail.example.net", note: "Met in person." }),
    ),
    action(recordPath, () => ({ act: "check", note: "Passport." }), { conflict: true }),
    action(recordPath, () => ({ act: "revoke", note: "A mistake." }), { conflict: true }),
    action(
      ({ recovery }) => `/console/records/${recovery}`,
      ({ recovery }) => ({ act: "delete", digits: recovery.slice(0, 8) }),
    ),
  ],
  "/console/records/:hash/documents": [
    action((ids) => `${recordPath(ids)}/documents`, () => ({ title: "New", type: "Note" }), {
      file: true,
    }),
  ],
  "/console/records/:hash/documents/:id": [
    object(documentPath),
    object(mixedPath),
    ...[documentPath, mixedPath].flatMap((path) => [
      action(path, () => ({ act: "edit", title: "Edited", type: "Note" })),
      action(path, () => ({ act: "replace", again: "on" }), { file: true }),
      action(path, () => ({ act: "withdraw", reason: "Wrong." })),
    ]),
  ],
  "/console/records/:hash/documents/:id/view": [
    object((ids) => `${documentPath(ids)}/view`),
    object((ids, own) => `${mixedPath(ids, own)}/view`),
  ],
  "/console/records/:hash/documents/:id/file": [
    object((ids) => `${documentPath(ids)}/file`),
    object((ids) => `${documentPath(ids)}/file?v=1`),
    object((ids, own) => `${mixedPath(ids, own)}/file`),
  ],
  "/console/records/:hash/documents/:id/cover": [
    object((ids) => `${documentPath(ids)}/cover`),
    object((ids, own) => `${mixedPath(ids, own)}/cover`),
  ],
  "/console/records/:hash/documents/:id/printed": [
    action((ids) => `${documentPath(ids)}/printed`, () => ({})),
    action((ids, own) => `${mixedPath(ids, own)}/printed`, () => ({})),
  ],
  "/console/issuers": [list("/console/issuers")],
  "/console/issuers/:id": [
    object(issuerPath),
    find((_, own) => issuerPath(own), { form: ({ issued }) => ({ text: issued }) }),
    find((_, own) => issuerPath(own), { form: ({ marker }) => ({ text: marker.slice(0, -1) }) }),
  ],
  "/console/issuers/:id/settings": [
    object(settingsPath),
    action(settingsPath, () => ({ act: "rename", name: "Quay School" })),
    action(settingsPath, () => ({ act: "remove" }), { conflict: true }),
    action(settingsPath, () => ({ act: "set_domain", domain: "quay.example" })),
    action(settingsPath, () => ({ act: "check_domain" })),
    action(settingsPath, () => ({ act: "remove_domain" })),
    action(settingsPath, () => ({ act: "set_contact", contact: "desk@quay.example.com" })),
    action(settingsPath, () => ({ act: "remove_logo" })),
    action(settingsPath, () => ({ act: "remove_signature" })),
    action(settingsPath, () => ({ act: "set_state", state: "suspended", reason: "Not paid" })),
    action(settingsPath, () => ({ act: "set_state", state: "active", reason: "Paid" })),
  ],
  "/console/issuers/:id/keys": [
    object((ids) => `${issuerPath(ids)}/keys`),
    ...["pause_webhook", "resume_webhook", "remove_webhook"].map((act) =>
      action(
        (_, own) => `${issuerPath(own)}/keys`,
        ({ webhook }) => ({ act, webhook, mode: "live" }),
      )
    ),
  ],
  "/console/issuers/:id/documents/:document": [
    object(issuedPath),
    object(mixedIssuedPath),
    action(issuedPath, () => ({ act: "mail" })),
    action(mixedIssuedPath, () => ({ act: "withdraw", reason: "A mistake" })),
  ],
  "/console/issuers/:id/documents/:document/file": [
    object((ids) => `${issuedPath(ids)}/file`, { bare: true }),
    object((ids, own) => `${mixedIssuedPath(ids, own)}/file`, { bare: true }),
  ],
  "/console/issuers/:id/pictures/:kind": [
    object((ids) => `${issuerPath(ids)}/pictures/logo`, { bare: true }),
    action((ids) => `${issuerPath(ids)}/pictures/logo`, () => ({}), { file: createPng(9, 9) }),
    action(
      (ids) => `${issuerPath(ids)}/pictures/signature`,
      () => ({ signatory: "Ruth Harbour" }),
      { file: createPng(9, 9) },
    ),
  ],
  "/console/issuers/:id/batches": [object((ids) => `${issuerPath(ids)}/batches`)],
  "/console/issuers/:id/batches/new": [
    object((ids) => `${issuerPath(ids)}/batches/new`),
    action(
      (ids) => `${issuerPath(ids)}/batches/new`,
      () => ({ mode: "test", title: "A", date: "2026-11-20" }),
      { file: new TextEncoder().encode("name,email\nGrace,grace@example.org\n") },
    ),
  ],
  "/console/issuers/:id/batches/:batch": [
    object(batchPath),
    object(checkedPath),
    object(mixedBatchPath),
    action(batchPath, () => ({ act: "send" })),
    action(batchPath, () => ({ act: "cancel" })),
    action(mixedBatchPath, () => ({ act: "cancel" })),
    action((ids, own) => `${issuerPath(own)}/batches/${ids.checked}`, () => ({ act: "issue" })),
    action((ids, own) => `${issuerPath(own)}/batches/${ids.checked}`, () => ({ act: "discard" })),
  ],
  "/console/issuers/:id/batches/:batch/rows/:row": [
    object((ids) => `${checkedPath(ids)}/rows/0`, { bare: true }),
    object((ids, own) => `${issuerPath(own)}/batches/${ids.checked}/rows/0`, { bare: true }),
  ],
  "/console/issuers/:id/batches/:batch/results": [
    object((ids) => `${batchPath(ids)}/results`, { bare: true }),
    object((ids, own) => `${mixedBatchPath(ids, own)}/results`, { bare: true }),
  ],
  "/console/payments": [
    ...["", "?status=failed", "?currency=USD", "?min=100", "?format=csv"].map((query) =>
      list(`/console/payments${query}`)
    ),
  ],
  "/console/payments/:id": [object(({ payment }) => `/console/payments/${payment}`)],
  "/console/audit": [
    ...["", "?action=document_edited", "?format=csv"].map((query) =>
      list(`/console/audit${query}`)
    ),
    find(({ person }) => `/console/audit?person=${person}&action=document_edited`),
    find(({ person }) => `/console/audit?person=${person}&action=document_edited&format=csv`),
  ],
  "/console/mail": [
    list("/console/mail", { bare: true }),
    find(() => "/console/mail", {
      form: ({ marker }) => ({ email: `holder@${marker}.example.com` }),
      bare: true,
    }),
  ],
  "/console/team": [
    list("/console/team", { board: true }),
    action(() => "/console/team", ({ guest }) => ({ act: "invite_again", person: guest })),
    action(() => "/console/team", ({ guest }) => ({ act: "withdraw_invitation", person: guest })),
  ],
  "/console/team/:person": [
    object(({ operator }) => `/console/team/${operator}`),
    ...[["change_layer", "layer", "L1"], ["end_sessions"], ["remove_operator", "confirm", "yes"]]
      .map(([act, name = "", value = ""]) =>
        action(({ operator }) => `/console/team/${operator}`, () => ({ act, [name]: value }))
      ),
  ],
  "/console/users": [
    list("/console/users"),
    action(() => "/console/users", ({ marker }) => ({ email: `user@${marker}.example.com` })),
  ],
  "/console/users/:id": [
    object(({ user }) => `/console/users/${user}`),
    action(({ user }) => `/console/users/${user}`, () => ({ confirm: "yes" })),
  ],
  "/api/bank/summary": [list("/api/bank/summary", { board: true, bare: true })],
  "/api/bank/accounts": [list("/api/bank/accounts")],
  "/api/bank/refresh": [find(() => "/api/bank/refresh", { json: () => ({}), bare: true })],
  "/api/bank/transactions": [
    object(({ account }) => `/api/bank/transactions?account_id=${account}`),
    object(({ account }) => `/api/bank/transactions?account_id=${account}&search=a`, {
      bare: true,
    }),
  ],
  "/api/infra/map": [list("/api/infra/map", { bare: true })],
  "/api/push/send": [
    action(() => "/api/push/send", undefined, {
      json: ({ record }) => ({ record, dry_run: true }),
    }),
    action(() => "/api/push/send", undefined, { json: ({ record }) => ({ record }) }),
  ],
};

/** Routes without a case: they need no session, or show nothing of an organisation's. */
export const OPEN = [
  "/",
  "/favicon.ico",
  "/theme",
  "/robots.txt",
  "/runbook",
  "/.well-known/security.txt",
  "/auth",
  "/auth/verify",
  "/api/auth/request",
  "/api/auth/verify",
  "/api/auth/logout",
  // They only concern the operator who sends them; see tests/operator_passkeys_test.ts.
  "/api/auth/passkey/sign-in",
  "/api/auth/passkey/confirm",
  "/api/auth/passkey/register",
  "/console/team/passkeys",
  "/pdfjs/:version/:file",
  "/console/team/join", // shows what the token of an invitation opens
  "/api/payments/webhook", // only its signature authenticates it
];
