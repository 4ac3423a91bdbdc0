/**
 * The versions of the API, the newest first. The second number grows with additions, the first with
 * breaking changes.
 */
export const CHANGES: readonly { version: string; date: string; changes: readonly string[] }[] = [
  {
    version: "1.9.0",
    date: "2026-11-29",
    changes: [
      "A batch stops if 5% of its emails come back, at least 20: it is stopped by `mail_returned`, and waits for three days until you send or cancel it.",
      "It has the number of emails that came back (`returned`), its results say in `mail` which and why, and the event `batch.stopped` tells you.",
    ],
  },
  {
    version: "1.8.0",
    date: "2026-11-29",
    changes: [
      "Clients can be generated for more languages.",
      "Checking a file before it is issued is an operation of its own: `POST /api/documents/check` for a document and `POST /api/documents/batches/check` for a batch, instead of `dry_run`.",
      "The same file with the same parameters begins one batch within ten minutes: without an `Idempotency-Key`, a repetition is refused with 409 `duplicate_batch`, unless `allow_duplicate=true`.",
      "The text of a batch's certificates (body) is a column or a field of the form, and not a parameter of the URL.",
      "`GET /check`, `/verify` and `/my-record/log` return JSON unless `text/html` is accepted by name.",
      "Every response has a `Request-Id`.",
      "Events of streams have no names, so that they reach `onmessage`; `after=-1` reads a chain from its first event.",
      "The responses of passkeys have a step.",
      "Lists of values in responses are open: `x-extensible-enum` names the known ones.",
      "`openapi.json` describes the events of webhooks.",
      "Webhooks of tests may be on your own machine.",
    ],
  },
  {
    version: "1.7.0",
    date: "2026-11-29",
    changes: [
      "Whoever has an API key can revoke it with `POST /api/keys/revoke`, which also takes the reports of code hosts’ scanners for secrets.",
      "The proof of a chain is against the first checkpoint of the public log that satisfies the publisher's own quorum.",
      "`log_size` asks for one against a newer checkpoint, for readers whose policy needs more.",
    ],
  },
  {
    version: "1.6.0",
    date: "2026-11-28",
    changes: [
      "A report on a file has a match for each organisation that has registered it, in the order of their first registrations.",
      "The first one gives the report its state and issuer, whatever the others have registered.",
      "There may be 16 matches, and `more_issuers` says how many more organisations there are.",
      "The event `document.also_registered` tells an issuer that another organisation has registered its file.",
      'In a JSON body, a member that is null counts as absent: to remove the description of a webhook, send an empty text, and to let it receive all events again, send `["*"]`.',
    ],
  },
  {
    version: "1.5.0",
    date: "2026-11-28",
    changes: [
      "Issuers call the API with keys: they issue documents, list and read them, replace and withdraw them, issue in bulk from a CSV file, and manage webhooks.",
      "Requests can be repeated with an `Idempotency-Key`.",
      "Reports on files name the issuer’s verified domain, and say when it has ended.",
    ],
  },
  {
    version: "1.4.0",
    date: "2026-11-28",
    changes: [
      "Chains and the statements about documents have `log_proof`, the proof that they are in the public log, whoever checks a file.",
      "Pages of any origin may read chains and their places in the log.",
    ],
  },
  {
    version: "1.3.0",
    date: "2026-11-24",
    changes: [
      "Reports on files name the registrar besides the issuer, and lead with the worst state.",
    ],
  },
  {
    version: "1.2.0",
    date: "2026-11-23",
    changes: [
      "The document says which operations need no sign-in, names the scope of an app's token, and describes event streams apart from the JSON, in `x-event-stream`.",
    ],
  },
  {
    version: "1.1.0",
    date: "2026-11-22",
    changes: [
      "Apps register and remove phones with a bearer token.",
    ],
  },
  {
    version: "1.0.0",
    date: "2026-11-22",
    changes: [
      "The first version with a description.",
    ],
  },
];

/** The current version of the API, as in `openapi.json`. */
export const API_VERSION = CHANGES[0].version;
