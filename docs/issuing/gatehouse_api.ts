/**
 * The types of the API, which openapi-typescript has generated from its description, /openapi.json.
 *
 * @module
 */

export interface paths {
    "/api/ir/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a record
         * @description Registers an enquiry as a verifiable record, begins its chain, and emails a link that confirms the address. Repeat a request that got no response with the same `Idempotency-Key`. Pages need an allowed origin: our own, or one in `CONTACT_ORIGINS`. Programs send no `Origin`.
         */
        post: operations["registerRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chain/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or follow a chain
         * @description Returns events in ascending order of `seq`, and the signed head. Without `before` and `after`, these are the newest events. `?after=<last seq>&tip=<last hash>` continues where you stopped. For `Accept: text/event-stream`, the same URL sends new events as they are appended; the `id` is the `seq`, and a comment arrives every 15 seconds. The stream ends after about five minutes: reconnect with `Last-Event-ID`.
         */
        get: operations["readChain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chain/{hash}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a chain in the public log
         * @description Returns the place of each size of a chain in the public log, and the salt that opens its entries. For a complete check, compute the entry of every size from 1 to the head's, and verify its inclusion with the log's tiles. An index is a hint: compare the entry there.
         */
        get: operations["readChainLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qualifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search qualifications
         * @description Returns a page of the qualifications that match, best match first.
         */
        get: operations["searchQualifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check an API key
         * @description Returns the issuer that the key belongs to, and what the key may do. Any key works.
         */
        get: operations["readIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description Returns the documents that the issuer has issued through the API with keys of this mode, the newest first. Repeat the request with `cursor` until `next_cursor` is null. With filters, a page may have fewer documents than `limit`, or none, and a cursor nevertheless. Requests with `email` have an address in their URL, so keep them out of your logs.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Issue a document
         * @description Issues a document to a person, who is emailed a link. The document can be checked at once. It waits until the recipient accepts it, and then belongs to their record. Later documents to the same address get there at once. Send the content as a file in base64, at most 10 MiB, or as a form with the file at the end; or as a `template` from which we make a certificate. A PDF gets a copy with codes on every page, which shows what the PDF shows, or the PDF is refused; `left_out` names what the copy leaves out, and `checkNewDocument` reports this before anything is issued. Repeat a request that got no response with the same `Idempotency-Key`: for 24 hours, you get the first response.
         */
        post: operations["issueDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a document before you issue it
         * @description Takes the same body as `issueDocument`, makes the document and its copy, and issues nothing. The response says what the copy leaves out of a PDF; a file that cannot be issued is refused with the same error.
         */
        post: operations["checkNewDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document
         * @description Returns a document with its recipient, its state and its versions.
         */
        get: operations["readDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Returns a file of a document. PDFs have an issued copy, with codes on every page; of other files, `issued` is the original.
         */
        get: operations["downloadDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a document
         * @description Adds a version, which replaces the current one. Whoever checks an earlier version learns that there is a newer one.
         */
        post: operations["replaceDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a document
         * @description Withdraws the current version. Everybody who checks the document sees that it is withdrawn, and the reason. A new version puts it in force again.
         */
        post: operations["withdrawDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Email the recipient again
         * @description Sends the email about a document again, at most three times in 24 hours. For a test, nothing is sent.
         */
        post: operations["resendDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate the recipient
         * @description Does in a test what the recipient would do: accept the documents, refuse them, or let 90 days pass. It sends the same events as the real thing. Repeating it changes nothing. It needs a test key.
         */
        post: operations["simulateRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches
         * @description Returns the newest 100 batches of the last 90 days, or 30 days for tests.
         */
        get: operations["listBatches"];
        put?: never;
        /**
         * Issue many certificates
         * @description Issues a certificate for each row of a CSV file in UTF-8, at most 10,000 rows, 50,000 a day, 100,000 lines and 8 MiB. The first row names the columns: `name`, `email`, and any of `language`, `name_latin`, `external_id`, `title`, `type`, `date`, `expires_on`, `subtitle`, `body`, `grade`, `signatory`, `signatory_title` and `paper`. Parameters of the URL apply to all rows that have no value of their own. A request with the same rows within ten minutes is refused, so that nobody is emailed twice, unless it has an `Idempotency-Key`. The file is checked as a whole: if a row has a problem, nothing is issued, and the response names every problem. Documents can be checked as soon as they are issued. An hour after the last one, their recipients are emailed, each of them once. Until then, the batch can be cancelled, or sent immediately. Instead of the CSV file alone, you can send a form with the parameters as fields, and the file at the end.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/batches/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a file before you issue it
         * @description Takes the same file and parameters as `createBatch`, checks the file as a whole, and issues nothing. If a row has a problem, the response names every problem.
         */
        post: operations["checkBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or follow a batch
         * @description Returns a batch with its progress. For `Accept: text/event-stream`, the same URL sends the batch whenever it has changed, and ends once the batch is `done` or `undone`.
         */
        get: operations["readBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/batches/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the emails now
         * @description Emails the recipients without waiting for an hour; if documents are still being issued, after the last one. If it has stopped because emails came back, the rest is emailed. Repeating it changes nothing.
         */
        post: operations["sendBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/batches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Stops a batch before its emails are due, and erases its documents and the data of their recipients. Documents whose recipients already know about them are kept. If it has stopped because emails came back, the documents that nobody was emailed about are erased. Repeating it changes nothing.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/batches/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the results
         * @description Returns the outcome of each row as a CSV file, in the order of the file that was sent: its `line` and `external_id` (with `external_id_unchanged` if a spreadsheet could take it for a formula, so that `'` is put before it), the `status` (`waiting`, `issued`, `sent`, `failed`, `removed` or `kept`), `error` and `reason` if it has failed, the `document` with its `url` and hashes, and in `mail` why its email did not arrive: `recipient_refused` if the address takes none, `address_stopped` if it was refused before or its owner wants none, or another code.
         */
        get: operations["readBatchResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns all webhooks of the issuer in the mode of the key, oldest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook
         * @description Adds a URL that receives the events of the issuer's documents, as Standard Webhooks: `webhook-signature` is an HMAC with the `secret`, which only this response contains. A test key adds a webhook for the events of tests. The URL is https on port 443, and all addresses of its host must be on the public internet. Redirects are not followed. For tests, it can also be on your own machine, such as `http://localhost:3000/events`: then nothing is sent, and a program of yours posts the deliveries there. Events are retried over three days; then the webhook is paused.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a webhook, without its secret.
         */
        get: operations["readWebhook"];
        put?: never;
        /**
         * Change a webhook
         * @description Changes the URL, the description or the types of events. Members that are absent stay as they are. After a change of the URL, events that waited are sent there.
         */
        post: operations["changeWebhook"];
        /**
         * Remove a webhook
         * @description Removes a webhook, its secrets and its deliveries. It receives nothing more.
         */
        delete: operations["removeWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook
         * @description Returns a new secret. For 24 hours, deliveries are signed with both, so that the server can change its secret at any time. If somebody else knows the previous one, send `keep_previous: false`, and it signs nothing more.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a webhook
         * @description Sends nothing more to the webhook. Its events are held for 30 days, at most 20,000 of them.
         */
        post: operations["pauseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a webhook
         * @description Sends the events that were held while the webhook was paused, and later ones. Events that had failed before are not sent; replay them. A webhook on your own machine stays paused.
         */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of the type `webhook.test`, whatever types the webhook receives.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send failed events again
         * @description Sends all events again that happened since a time, and that the webhook has failed to accept in all attempts. Each keeps its `webhook-id`. Events are kept for 30 days.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Returns the last 100 deliveries, the newest events first. An event is listed once its first attempt has ended, or while it is held. Those of tests have the headers with which you can post them to your own machine.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/webhooks/{id}/deliveries/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Sends the event of a delivery again, with the same `webhook-id` and the same body. If it waits for its next attempt, it is tried at once.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a leaked API key
         * @description Permanently revokes the key in the body, or if there is none, the one in the `Authorization` header. It takes effect immediately. Whoever has a key may revoke it. A scanner for secrets posts an array of at most 100 objects instead, in the format of GitHub and GitLab: of each only `token` counts. The response is the same for keys that are unknown or were revoked before: none of them works any more. The issuer's contact is emailed.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description Describes the API (OpenAPI 3.1), to any origin.
         */
        get: operations["readOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "document.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.issued
         * @description A document was issued.
         */
        post: operations["onDocumentIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.accepted
         * @description The recipient has accepted it, or it was added to their record.
         */
        post: operations["onDocumentAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.refused
         * @description The owner of the address has said that this is not them.
         */
        post: operations["onDocumentRefused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.lapsed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.lapsed
         * @description Nobody has accepted it within 90 days.
         */
        post: operations["onDocumentLapsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.replaced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.replaced
         * @description It has a new version.
         */
        post: operations["onDocumentReplaced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.withdrawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.withdrawn
         * @description It was withdrawn.
         */
        post: operations["onDocumentWithdrawn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.erased
         * @description It was erased, with the recipient's record or a cancelled batch.
         */
        post: operations["onDocumentErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.also_registered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive document.also_registered
         * @description Another organisation has registered the same file.
         */
        post: operations["onDocumentAlsoRegistered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive batch.completed
         * @description The emails of a batch are queued.
         */
        post: operations["onBatchCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive batch.stopped
         * @description So many emails of a batch came back that it has stopped, and is waiting for you to send or cancel it.
         */
        post: operations["onBatchStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.undone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive batch.undone
         * @description A batch was cancelled, and its documents are erased.
         */
        post: operations["onBatchUndone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive webhook.test
         * @description Somebody has asked for a test event.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The problem of each invalid field or parameter, by its name. */
        Issues: {
            [key: string]: string;
        };
        RegisterRecordBody: {
            /** @description At most 200 characters. */
            name: string;
            /** @description At most 200 characters. */
            organisation?: string | null;
            /** Format: email */
            email: string;
            mobile?: {
                /** @description The country of the dial code, ISO 3166-1 alpha-2. */
                country?: string | null;
                /** @description At most 40 characters. */
                number?: string | null;
            } | null;
            /** @enum {string|null} */
            enquiry_type?: "Investor" | "Enterprise Partner" | "Technical" | "Other" | null;
            /** @description At most 5000 characters. */
            message?: string | null;
            /** @description The response of the bot challenge, if this deployment has one. */
            challenge?: string | null;
            /** @description For how many milliseconds the form was open. A form that is sent faster than 2000 ms counts as one of a bot. */
            elapsed_ms: number;
        };
        /** @description The publisher's signed statement of the chain's length (`size`) and last hash (`tip`). `origin` is `<publisher>/<record hash>`, and `signature` is Ed25519 in base64url. */
        Head: {
            origin: string;
            /** Format: int64 */
            size: number;
            tip: string;
            /** Format: date-time */
            at: string;
            kid: string;
            signature: string;
        };
        /** @description An event. `prev` is the hash of the event before it, or the record's hash for event 0. `hash` is its own hash. `seq` counts from 0 without gaps. */
        ChainEvent: {
            /** Format: int64 */
            seq: number;
            kind: components["schemas"]["EventKind"];
            /** Format: date-time */
            at: string;
            /** @constant */
            status: "ok";
            prev: string;
            hash: string;
        };
        /** @description What happened. Accept kinds that you do not know: a later version may add some. */
        EventKind: string;
        CheckKeyBody: {
            key: string;
        };
        CurrentKey: {
            /** @constant */
            state: "current";
            hash: string;
            /** @description The hash on the card, if the record was corrected after the card was printed. */
            card_hash?: string;
            /** @description The trust level, which is a statement by the publisher. */
            level: number;
            /** @description The name of the organisation that states the level. */
            stated_by: string;
            /** @description The publisher of the chain: a host, as in the head. */
            publisher: string;
            /** Format: uri */
            chain_url: string;
            /** Format: uri */
            keys_url: string;
            /** Format: uri */
            verify_url: string;
            /** Format: uri */
            levels_url: string;
        };
        EndedKey: {
            state: string;
            /** Format: date-time */
            at: string;
        };
        SignInWithPasskeyBody: {
            response?: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string | null;
                };
            } | null;
        };
        PasskeyRequestOptions: {
            /**
             * @description Ask the authenticator, and post its response.
             * @constant
             */
            step: "options";
            /** @description Random bytes in base64url, valid for a few minutes, once. */
            challenge: string;
            rpId: string;
            /**
             * Format: int64
             * @description In milliseconds.
             */
            timeout?: number;
            allowCredentials?: {
                id: string;
            }[];
            /** @constant */
            userVerification: "required";
        } & {
            [key: string]: unknown;
        };
        PasskeySignedIn: {
            /** @constant */
            step: "done";
            /** @description The path of the page for people. */
            next: string;
        };
        AddPasskeyBody: {
            response?: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    attestationObject: string;
                    /** @description Default: `null`. */
                    transports?: string[] | null;
                };
            } | null;
        };
        PasskeyCreationOptions: {
            /**
             * @description Ask the authenticator, and post its response.
             * @constant
             */
            step: "options";
            /** @description Random bytes in base64url, valid for a few minutes, once. */
            challenge: string;
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            pubKeyCredParams: {
                /** Format: int64 */
                alg: number;
                /** @constant */
                type: "public-key";
            }[];
            /**
             * Format: int64
             * @description In milliseconds.
             */
            timeout?: number;
            attestation?: string;
            excludeCredentials?: ({
                id: string;
            } & {
                [key: string]: unknown;
            })[];
            authenticatorSelection: {
                /** @constant */
                userVerification: "required";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        PasskeyAdded: {
            /** @constant */
            step: "done";
            passkey: {
                id: string;
                name: string;
                /** @description The password manager or authenticator; null if it is unknown. */
                provider: string | null;
                /** @description Whether it is synced, so that it survives the loss of the device. */
                synced: boolean;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                last_used: string | null;
            };
        };
        SendCodeBody: {
            /** @enum {string} */
            method: "sms" | "voice";
            /**
             * @description `sign_in` to a record whose number is confirmed, or `confirm_number` of the open record. Default: `sign_in`.
             * @enum {string|null}
             */
            purpose?: "sign_in" | "confirm_number" | null;
            /** @description The number to sign in with. Without it, the last code is sent again. */
            mobile?: string | {
                country: string;
                number: string;
            } | null;
        };
        VerifyCodeBody: {
            code: string;
            /**
             * @description Default: `sign_in`.
             * @enum {string|null}
             */
            purpose?: "sign_in" | "confirm_number" | null;
        };
        RequestLinkBody: {
            /** Format: email */
            email: string;
        };
        SignOutBody: {
            /**
             * @description Ends all sessions of the record instead of this one.
             * @enum {string|null}
             */
            everywhere?: "1" | null;
        };
        IosDevice: {
            /** @constant */
            platform: "ios";
            /** @description The device token that iOS gave to the app, in hexadecimal digits. */
            token: string;
            /**
             * @description `sandbox` for builds that Xcode installs. Default: `production`.
             * @enum {string|null}
             */
            environment?: "sandbox" | "production" | null;
        };
        AndroidDevice: {
            /** @constant */
            platform: "android";
            /** @description The registration token of Firebase. */
            token: string;
        };
        SubscribeBrowserBody: {
            /** @description The URL of the subscription at a known push service. */
            endpoint: string;
            keys: {
                p256dh: string;
                auth: string;
            };
            vapid: string;
        };
        UnsubscribeBrowserBody: {
            /** @description The URL of the subscription at a known push service. */
            endpoint: string;
        };
        IssueDocumentBody: {
            recipient: {
                /** @description At most 200 characters; on a certificate 100. */
                name: string;
                /**
                 * Format: email
                 * @description The address that is emailed. Only you and the recipient see it.
                 */
                email: string;
                /** @description The language of the name, such as `zh-Hant` or `ja`: some letters look different in some languages, and screen readers need it. By default the name's script says it, and for Chinese characters the country of your domain. */
                language?: string | null;
            };
            /** @description The title, at most 120 characters. */
            title: string;
            /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
            type: string;
            /**
             * Format: date
             * @description The day that the document states. A certificate needs one.
             */
            date?: string | null;
            /**
             * Format: date
             * @description The last day, in UTC, on which the document is valid.
             */
            expires_on?: string | null;
            /** @description Your own id of the document, which must not be about a person: it is kept when the recipient is forgotten. We only check that it is unique within the file of a batch. */
            external_id?: string | null;
            /** @description Whether everybody sees the title. Default: `false`. */
            public?: boolean | null;
            /**
             * @description Whether everybody may confirm the document by its hash. Default: yes, unless the content could be guessed, as with small files and files that are not PDFs. Default: `default`.
             * @enum {string|null}
             */
            publish_hash?: "default" | "publish" | "hide" | null;
            /** @description Makes the document as a PDF, instead of `file`. If the fonts cannot show a name, send it in Latin letters, or send your own PDF as `file`. */
            template?: {
                /**
                 * @description The only template: a certificate with your name, logo and domain.
                 * @constant
                 */
                name: "certificate";
                /** @description What is printed on it. */
                fields?: {
                    /** @description Default: the recipient's name. */
                    name?: string | null;
                    /** @description The name in Latin letters, printed below a name in another script. At most 100 characters. */
                    name_latin?: string | null;
                    /** @description Default: the recipient's language. */
                    language?: string | null;
                    /** @description Default: the title. */
                    title?: string | null;
                    /**
                     * Format: date
                     * @description Default: the date.
                     */
                    date?: string | null;
                    /** @description Below the title, such as a code or a specialisation. At most 200 characters. */
                    subtitle?: string | null;
                    /** @description A paragraph, such as the units that were completed. At most 600 characters. */
                    body?: string | null;
                    /** @description The result. At most 60 characters. */
                    grade?: string | null;
                    /** @description The name of the person who signs. At most 80 characters. */
                    signatory?: string | null;
                    /** @description The position of that person. At most 100 characters. */
                    signatory_title?: string | null;
                    /**
                     * @description The size of the paper: A4, which is the default, or US Letter.
                     * @enum {string|null}
                     */
                    paper?: "A4" | "Letter" | null;
                } | null;
            } | null;
            /** @description The file in base64, at most 10 MiB. Or send it as `multipart/form-data`. */
            file?: string | null;
            /** @description The name of `file`, which the recipient sees. */
            file_name?: string | null;
        };
        IssueDocumentForm: {
            /** @description At most 200 characters; on a certificate 100. */
            "recipient.name": string;
            /**
             * Format: email
             * @description The address that is emailed. Only you and the recipient see it.
             */
            "recipient.email": string;
            /** @description The language of the name, such as `zh-Hant` or `ja`: some letters look different in some languages, and screen readers need it. By default the name's script says it, and for Chinese characters the country of your domain. */
            "recipient.language"?: string;
            /** @description The title, at most 120 characters. */
            title: string;
            /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
            type: string;
            /**
             * Format: date
             * @description The day that the document states. A certificate needs one.
             */
            date?: string;
            /**
             * Format: date
             * @description The last day, in UTC, on which the document is valid.
             */
            expires_on?: string;
            /** @description Your own id of the document, which must not be about a person: it is kept when the recipient is forgotten. We only check that it is unique within the file of a batch. */
            external_id?: string;
            /** @description Whether everybody sees the title. Default: `false`. */
            public?: boolean;
            /**
             * @description Whether everybody may confirm the document by its hash. Default: yes, unless the content could be guessed, as with small files and files that are not PDFs. Default: `default`.
             * @enum {string}
             */
            publish_hash?: "default" | "publish" | "hide";
            /**
             * Format: binary
             * @description The file, after all other fields.
             */
            file: string;
        };
        Document: {
            /** @constant */
            object: "document";
            id: string;
            /** @description True if it was made with a test key. */
            test: boolean;
            external_id: string | null;
            title: string;
            type: string;
            /**
             * Format: date
             * @description The day that it states.
             */
            date: string | null;
            public: boolean;
            status: string;
            withdrawn_reason: string | null;
            /**
             * Format: date
             * @description The last day on which it is valid.
             */
            expires_on: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Where anybody can check it. */
            url: string;
            /** @description As you sent them. Name and address are null once they are erased: when the recipient has refused the document, or has not accepted it in 90 days. */
            recipient: {
                name: string | null;
                /** Format: email */
                email: string | null;
                status: string;
            };
            issuer: {
                name: string;
                domain: string | null;
                domain_verified: boolean;
            };
            versions: {
                /** Format: int64 */
                number: number;
                /** Format: date-time */
                at: string;
                state: string;
                original_sha256: string;
                /** @description The hash of the copy with codes on every page; null if there is none. */
                issued_sha256: string | null;
                /** Format: int64 */
                pages: number | null;
                /** @description What the copy leaves out of the PDF, such as `attachments` or `scripts`. */
                left_out: string[];
                /**
                 * Format: int64
                 * @description The pages of the copy whose texts and drawings were compared with the PDF, which are fewer than all if it is long. Null if there is no copy.
                 */
                compared_pages: number | null;
            }[];
            /** @description `queued`: the recipient was emailed since the document was issued; `waiting`: they will be, or were emailed too often today; `none`: for tests, and if the address is erased. */
            mail: string;
        };
        CheckNewDocumentBody: {
            recipient: {
                /** @description At most 200 characters; on a certificate 100. */
                name: string;
                /**
                 * Format: email
                 * @description The address that is emailed. Only you and the recipient see it.
                 */
                email: string;
                /** @description The language of the name, such as `zh-Hant` or `ja`: some letters look different in some languages, and screen readers need it. By default the name's script says it, and for Chinese characters the country of your domain. */
                language?: string | null;
            };
            /** @description The title, at most 120 characters. */
            title: string;
            /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
            type: string;
            /**
             * Format: date
             * @description The day that the document states. A certificate needs one.
             */
            date?: string | null;
            /**
             * Format: date
             * @description The last day, in UTC, on which the document is valid.
             */
            expires_on?: string | null;
            /** @description Your own id of the document, which must not be about a person: it is kept when the recipient is forgotten. We only check that it is unique within the file of a batch. */
            external_id?: string | null;
            /** @description Whether everybody sees the title. Default: `false`. */
            public?: boolean | null;
            /**
             * @description Whether everybody may confirm the document by its hash. Default: yes, unless the content could be guessed, as with small files and files that are not PDFs. Default: `default`.
             * @enum {string|null}
             */
            publish_hash?: "default" | "publish" | "hide" | null;
            /** @description Makes the document as a PDF, instead of `file`. If the fonts cannot show a name, send it in Latin letters, or send your own PDF as `file`. */
            template?: {
                /**
                 * @description The only template: a certificate with your name, logo and domain.
                 * @constant
                 */
                name: "certificate";
                /** @description What is printed on it. */
                fields?: {
                    /** @description Default: the recipient's name. */
                    name?: string | null;
                    /** @description The name in Latin letters, printed below a name in another script. At most 100 characters. */
                    name_latin?: string | null;
                    /** @description Default: the recipient's language. */
                    language?: string | null;
                    /** @description Default: the title. */
                    title?: string | null;
                    /**
                     * Format: date
                     * @description Default: the date.
                     */
                    date?: string | null;
                    /** @description Below the title, such as a code or a specialisation. At most 200 characters. */
                    subtitle?: string | null;
                    /** @description A paragraph, such as the units that were completed. At most 600 characters. */
                    body?: string | null;
                    /** @description The result. At most 60 characters. */
                    grade?: string | null;
                    /** @description The name of the person who signs. At most 80 characters. */
                    signatory?: string | null;
                    /** @description The position of that person. At most 100 characters. */
                    signatory_title?: string | null;
                    /**
                     * @description The size of the paper: A4, which is the default, or US Letter.
                     * @enum {string|null}
                     */
                    paper?: "A4" | "Letter" | null;
                } | null;
            } | null;
            /** @description The file in base64, at most 10 MiB. Or send it as `multipart/form-data`. */
            file?: string | null;
            /** @description The name of `file`, which the recipient sees. */
            file_name?: string | null;
        };
        CheckNewDocumentForm: {
            /** @description At most 200 characters; on a certificate 100. */
            "recipient.name": string;
            /**
             * Format: email
             * @description The address that is emailed. Only you and the recipient see it.
             */
            "recipient.email": string;
            /** @description The language of the name, such as `zh-Hant` or `ja`: some letters look different in some languages, and screen readers need it. By default the name's script says it, and for Chinese characters the country of your domain. */
            "recipient.language"?: string;
            /** @description The title, at most 120 characters. */
            title: string;
            /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
            type: string;
            /**
             * Format: date
             * @description The day that the document states. A certificate needs one.
             */
            date?: string;
            /**
             * Format: date
             * @description The last day, in UTC, on which the document is valid.
             */
            expires_on?: string;
            /** @description Your own id of the document, which must not be about a person: it is kept when the recipient is forgotten. We only check that it is unique within the file of a batch. */
            external_id?: string;
            /** @description Whether everybody sees the title. Default: `false`. */
            public?: boolean;
            /**
             * @description Whether everybody may confirm the document by its hash. Default: yes, unless the content could be guessed, as with small files and files that are not PDFs. Default: `default`.
             * @enum {string}
             */
            publish_hash?: "default" | "publish" | "hide";
            /**
             * Format: binary
             * @description The file, after all other fields.
             */
            file: string;
        };
        DocumentCheck: {
            /** @constant */
            object: "document_check";
            /**
             * Format: int64
             * @description Null unless the file is a PDF.
             */
            pages: number | null;
            /** @description False for signed PDFs and other files, which are issued unchanged. */
            has_copy: boolean;
            /** @description What the copy leaves out of the PDF, such as `attachments` or `scripts`. */
            left_out: string[];
            /**
             * Format: int64
             * @description The pages of the copy whose texts and drawings were compared with the PDF, which are fewer than all if it is long. Null if there is no copy.
             */
            compared_pages: number | null;
        };
        ReplaceDocumentBody: {
            /**
             * @description Whether everybody may confirm the document by its hash. Default: yes, unless the content could be guessed, as with small files and files that are not PDFs. Default: `default`.
             * @enum {string|null}
             */
            publish_hash?: "default" | "publish" | "hide" | null;
            /** @description Makes the document as a PDF, instead of `file`. If the fonts cannot show a name, send it in Latin letters, or send your own PDF as `file`. */
            template?: {
                /**
                 * @description The only template: a certificate with your name, logo and domain.
                 * @constant
                 */
                name: "certificate";
                /** @description What is printed on it. */
                fields?: {
                    /** @description Default: the recipient's name. */
                    name?: string | null;
                    /** @description The name in Latin letters, printed below a name in another script. At most 100 characters. */
                    name_latin?: string | null;
                    /** @description Default: the recipient's language. */
                    language?: string | null;
                    /** @description Default: the title. */
                    title?: string | null;
                    /**
                     * Format: date
                     * @description Default: the date.
                     */
                    date?: string | null;
                    /** @description Below the title, such as a code or a specialisation. At most 200 characters. */
                    subtitle?: string | null;
                    /** @description A paragraph, such as the units that were completed. At most 600 characters. */
                    body?: string | null;
                    /** @description The result. At most 60 characters. */
                    grade?: string | null;
                    /** @description The name of the person who signs. At most 80 characters. */
                    signatory?: string | null;
                    /** @description The position of that person. At most 100 characters. */
                    signatory_title?: string | null;
                    /**
                     * @description The size of the paper: A4, which is the default, or US Letter.
                     * @enum {string|null}
                     */
                    paper?: "A4" | "Letter" | null;
                } | null;
            } | null;
            /** @description The file in base64, at most 10 MiB. Or send it as `multipart/form-data`. */
            file?: string | null;
            /** @description The name of `file`, which the recipient sees. */
            file_name?: string | null;
        };
        ReplaceDocumentForm: {
            /**
             * @description Whether everybody may confirm the document by its hash. Default: yes, unless the content could be guessed, as with small files and files that are not PDFs. Default: `default`.
             * @enum {string}
             */
            publish_hash?: "default" | "publish" | "hide";
            /**
             * Format: binary
             * @description The file, after all other fields.
             */
            file: string;
        };
        WithdrawDocumentBody: {
            /** @description Do not name anyone, because others see the reason. It is erased if the recipient does not accept the document, and with their record. At most 200 characters. */
            reason: string;
        };
        ResendDocumentBody: Record<string, never>;
        SimulateRecipientBody: {
            /** @enum {string} */
            as: "accepted" | "refused" | "lapsed";
        };
        CreateBatchForm: {
            /** @description The title, at most 120 characters. */
            title?: string;
            /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
            type?: string;
            /**
             * Format: date
             * @description The day that the document states. A certificate needs one.
             */
            date?: string;
            /**
             * Format: date
             * @description The last day, in UTC, on which the document is valid.
             */
            expires_on?: string;
            /** @description Below the title, such as a code or a specialisation. At most 200 characters. */
            subtitle?: string;
            /** @description The result. At most 60 characters. */
            grade?: string;
            /** @description The name of the person who signs. At most 80 characters. */
            signatory?: string;
            /** @description The position of that person. At most 100 characters. */
            signatory_title?: string;
            /**
             * @description The size of the paper: A4, which is the default, or US Letter.
             * @enum {string}
             */
            paper?: "A4" | "Letter";
            file_name?: string;
            /**
             * @description `leave_out` continues without the rows whose only problem is that their certificates cannot be printed, such as a name that the fonts cannot show. By default, they are refused like other problems. Default: `refuse`.
             * @enum {string}
             */
            unprintable?: "refuse" | "leave_out";
            /**
             * @description `true` issues the file again although the same rows have begun a batch within ten minutes. A request with an `Idempotency-Key` is never refused for that. Default: `false`.
             * @enum {string}
             */
            allow_duplicate?: "true" | "false";
            /** @description A paragraph, such as the units that were completed. At most 600 characters. */
            body?: string;
            /**
             * Format: binary
             * @description The file, after all other fields.
             */
            file: string;
        };
        Batch: {
            /** @constant */
            object: "batch";
            id: string;
            test: boolean;
            /** @description `issuing`: documents are issued; `holding`: the emails wait until `send_at`; `sending`: emails are queued; `done`; `undoing`: its documents are erased; `undone`. */
            state: string;
            /** @description Why it does not continue by itself. After `key_revoked`, sending it with another key continues it. If nothing changes until the emails are due (while documents are issued: for a day after the file was sent), it is undone. After `mail_returned`, because 5% of its emails came back, at least 20, look at the results: sending it emails the rest, cancelling it erases the documents that nobody was emailed about. If nobody decides within three days, it is cancelled. */
            stopped: string | null;
            file_name: string | null;
            /** Format: int64 */
            rows: number;
            /**
             * Format: int64
             * @description The rows whose documents are issued.
             */
            issued: number;
            /**
             * Format: int64
             * @description The rows that could not be issued: see the results.
             */
            failed: number;
            /**
             * Format: int64
             * @description The documents whose recipients were emailed.
             */
            sent: number;
            /**
             * Format: int64
             * @description The rows that were undone.
             */
            removed: number;
            /**
             * Format: int64
             * @description The documents that were not undone, because their recipients already know about them.
             */
            kept: number;
            /**
             * Format: int64
             * @description The emails that came back. The results say which, and why.
             */
            returned: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the emails are sent. Null while documents are issued.
             */
            send_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the batch and its results are removed.
             */
            expires_at: string;
        };
        CheckBatchForm: {
            /** @description The title, at most 120 characters. */
            title?: string;
            /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
            type?: string;
            /**
             * Format: date
             * @description The day that the document states. A certificate needs one.
             */
            date?: string;
            /**
             * Format: date
             * @description The last day, in UTC, on which the document is valid.
             */
            expires_on?: string;
            /** @description Below the title, such as a code or a specialisation. At most 200 characters. */
            subtitle?: string;
            /** @description The result. At most 60 characters. */
            grade?: string;
            /** @description The name of the person who signs. At most 80 characters. */
            signatory?: string;
            /** @description The position of that person. At most 100 characters. */
            signatory_title?: string;
            /**
             * @description The size of the paper: A4, which is the default, or US Letter.
             * @enum {string}
             */
            paper?: "A4" | "Letter";
            file_name?: string;
            /**
             * @description `leave_out` continues without the rows whose only problem is that their certificates cannot be printed, such as a name that the fonts cannot show. By default, they are refused like other problems. Default: `refuse`.
             * @enum {string}
             */
            unprintable?: "refuse" | "leave_out";
            /** @description A paragraph, such as the units that were completed. At most 600 characters. */
            body?: string;
            /**
             * Format: binary
             * @description The file, after all other fields.
             */
            file: string;
        };
        SendBatchBody: Record<string, never>;
        CancelBatchBody: Record<string, never>;
        Webhook: {
            /** @constant */
            object: "webhook";
            id: string;
            test: boolean;
            url: string;
            description: string | null;
            /** @description The types of events that it receives; null for all, including those of later versions. */
            events: string[] | null;
            state: string;
            /** @description `gone`: the server responded with 410; `failing`: it accepted no event for three days; `issuer`: paused by you, or by your contact; `administrator`: paused by us; `own_machine`: the URL is on your own machine, so a program of yours fetches the deliveries. */
            paused_reason: string | null;
            /**
             * Format: date-time
             * @description When the first of the attempts failed that have all failed since.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until then, deliveries are also signed with the previous secret.
             */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
        };
        CreateWebhookBody: {
            url: string;
            /** @description Shown to administrators. An empty text removes it. */
            description?: string | null;
            /** @description The types of events that it receives. `["*"]`: all, including those of later versions. */
            events?: ("document.issued" | "document.accepted" | "document.refused" | "document.lapsed" | "document.replaced" | "document.withdrawn" | "document.erased" | "document.also_registered" | "batch.completed" | "batch.stopped" | "batch.undone" | "*")[] | null;
        };
        WebhookWithSecret: {
            /** @constant */
            object: "webhook";
            id: string;
            test: boolean;
            url: string;
            description: string | null;
            /** @description The types of events that it receives; null for all, including those of later versions. */
            events: string[] | null;
            state: string;
            /** @description `gone`: the server responded with 410; `failing`: it accepted no event for three days; `issuer`: paused by you, or by your contact; `administrator`: paused by us; `own_machine`: the URL is on your own machine, so a program of yours fetches the deliveries. */
            paused_reason: string | null;
            /**
             * Format: date-time
             * @description When the first of the attempts failed that have all failed since.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until then, deliveries are also signed with the previous secret.
             */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Shown once. Store it where your server can read it. */
            secret: string;
        };
        ChangeWebhookBody: {
            url?: string | null;
            /** @description Shown to administrators. An empty text removes it. */
            description?: string | null;
            /** @description The types of events that it receives. `["*"]`: all, including those of later versions. */
            events?: ("document.issued" | "document.accepted" | "document.refused" | "document.lapsed" | "document.replaced" | "document.withdrawn" | "document.erased" | "document.also_registered" | "batch.completed" | "batch.stopped" | "batch.undone" | "*")[] | null;
        };
        RotateWebhookSecretBody: {
            /** @description Default: `true`. */
            keep_previous?: boolean | null;
        };
        ReplayWebhookBody: {
            /** Format: date-time */
            since: string;
        };
        WebhookDelivery: {
            /** @constant */
            object: "webhook_delivery";
            /** @description The `webhook-id` of every attempt. */
            id: string;
            type: string;
            state: string;
            /** Format: int64 */
            attempts: number;
            /**
             * Format: int64
             * @description The status of the last response.
             */
            response_status: number | null;
            /** @description Why the last attempt failed. */
            error: string | null;
            /** Format: int64 */
            latency_ms: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            attempted_at: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description The body that is sent: `type`, `timestamp` and `data`. The data of `document.also_registered` has `also_registered_by` with `issuer`, `issuer_domain`, `issuer_domain_verified_at` and `registered_at`. */
            payload: {
                [key: string]: unknown;
            };
            /** @description Freshly signed headers, with which a program of yours can post the payload to your own machine. Null for live documents. The bytes of the body are those of `JSON.stringify(payload)`. */
            headers: {
                "content-type": string;
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            } | null;
        };
        RevokeKeyBody: {
            /** @description Also removes the webhooks that the key has added, or whose URL or secret it set last, if the key still works. Otherwise they continue to receive events. Default: `false`. */
            remove_webhooks?: boolean | null;
            /** @description The key to revoke. */
            key: string;
        };
        Problem: {
            /** @description A stable code. */
            error: string;
            /** @description For people. It may change. */
            message: string;
            issues?: components["schemas"]["Issues"];
        } & {
            [key: string]: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request in our log. */
        "Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    registerRecord: {
        parameters: {
            query?: {
                /** @description Which organisation the enquiry belongs to. Default: commercial. */
                organisation?: "foundation" | "commercial";
            };
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Example",
                 *       "email": "ada@example.org",
                 *       "mobile": {
                 *         "country": "AU",
                 *         "number": "0491 570 006"
                 *       },
                 *       "enquiry_type": "Technical",
                 *       "message": "How do I verify a chain?",
                 *       "elapsed_ms": 8000
                 *     }
                 */
                "application/json": components["schemas"]["RegisterRecordBody"];
            };
        };
        responses: {
            /** @description The record is registered. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *       "organisation": "Certification Infrastructure",
                     *       "head": {
                     *         "origin": "trust.example/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *         "size": 1,
                     *         "tip": "0beb2b0bddd001075691f05ab31a32833f2839b45c4c04dc01c98202007ab0af",
                     *         "at": "2026-03-01T09:30:00.000Z",
                     *         "kid": "LIZgcLLCVh0xubsTX-2m-PFhvj9xYecnxe_74gS2edg",
                     *         "signature": "725VAuUfkRChU5FFR2fYbtVmeDHxInKqaB2A4Z0QHWKrv7qThNdyFa4iPHV_PS4ziXuAJwX4-FevPeBPQ8EyDw"
                     *       },
                     *       "events": [
                     *         {
                     *           "seq": 0,
                     *           "kind": "hash_generated",
                     *           "at": "2026-03-01T09:30:00.000Z",
                     *           "status": "ok",
                     *           "prev": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "hash": "0beb2b0bddd001075691f05ab31a32833f2839b45c4c04dc01c98202007ab0af"
                     *         }
                     *       ],
                     *       "masked": {
                     *         "email": "a•••@e•••.org",
                     *         "mobile": "+61 ••• ••• 006"
                     *       },
                     *       "chain_url": "https://api.example/api/chain/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *       "verify_url": "https://trust.example/verify?hash=2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
                     *     }
                     */
                    "application/json": {
                        hash: string;
                        /** @description The name of the organisation that the enquiry belongs to. */
                        organisation: string;
                        head: components["schemas"]["Head"];
                        /** @description The latest events, newest last. */
                        events: components["schemas"]["ChainEvent"][];
                        /** @description The email address and the number, masked; null for fields that were left empty. */
                        masked: {
                            email: string | null;
                            mobile: string | null;
                        };
                        /** Format: uri */
                        chain_url: string;
                        /**
                         * Format: uri
                         * @description The page that verifies the chain, for people; also the content of the QR code.
                         */
                        verify_url: string;
                    };
                };
            };
            /** @description A field is invalid, the form was open for less than two seconds, or the bot challenge was not passed. The `Idempotency-Key` is malformed. `error`: `invalid_request`, `too_fast`, `challenge_failed`. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The origin is not allowed to embed the form. `error`: `forbidden`. */
            403: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another enquiry was registered with this `Idempotency-Key`. `error`: `idempotency_mismatch`. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description This client has registered too many records in the last hour. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readChain: {
        parameters: {
            query?: {
                /** @description Selects the newest events below this `seq`. */
                before?: number;
                /** @description Selects the oldest events above this `seq`. With -1, they are the first ones. */
                after?: number;
                /** @description With `after`: the hash of that event as you know it. */
                tip?: string;
                /** @description Asks for a proof against a checkpoint of the public log with at least this many entries, such as the newest one. Default: the first one that satisfies the publisher's own quorum. */
                log_size?: number;
                /**
                 * @description The number of events.
                 * @example 2
                 */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier response. */
                "If-None-Match"?: string;
                /** @description Resumes a stream; takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The hash of the record.
                 * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                 */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the chain. */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag?: string;
                    /** @description The URLs of the `next` (newer) and `prev` (older) page, if there are any (RFC 8288). */
                    Link?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *       "head": {
                     *         "origin": "trust.example/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *         "size": 2,
                     *         "tip": "a3efd0b21c7d23b7a1c16ad36720024ecb74e33fd378d8ae332507738e0b3f97",
                     *         "at": "2026-03-01T09:34:12.000Z",
                     *         "kid": "LIZgcLLCVh0xubsTX-2m-PFhvj9xYecnxe_74gS2edg",
                     *         "signature": "725VAuUfkRChU5FFR2fYbtVmeDHxInKqaB2A4Z0QHWKrv7qThNdyFa4iPHV_PS4ziXuAJwX4-FevPeBPQ8EyDw"
                     *       },
                     *       "events": [
                     *         {
                     *           "seq": 0,
                     *           "kind": "hash_generated",
                     *           "at": "2026-03-01T09:30:00.000Z",
                     *           "status": "ok",
                     *           "prev": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "hash": "0beb2b0bddd001075691f05ab31a32833f2839b45c4c04dc01c98202007ab0af"
                     *         },
                     *         {
                     *           "seq": 1,
                     *           "kind": "email_confirmed",
                     *           "at": "2026-03-01T09:34:12.000Z",
                     *           "status": "ok",
                     *           "prev": "0beb2b0bddd001075691f05ab31a32833f2839b45c4c04dc01c98202007ab0af",
                     *           "hash": "a3efd0b21c7d23b7a1c16ad36720024ecb74e33fd378d8ae332507738e0b3f97"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        hash: string;
                        head: components["schemas"]["Head"];
                        events: components["schemas"]["ChainEvent"][];
                        /** @description The proof (C2SP tlog-proof) that the largest countersigned size of the chain is in the public log. It is against the first checkpoint that satisfies the publisher's quorum, else has the line of an independent witness, else of any, or the first one from `log_size` on. Its `extra` is the chain's `log_salt`. Absent until the log has published one. */
                        log_proof?: string;
                        /** @description Whether there are more events in the direction of the query: newer ones with `after`, older ones otherwise. */
                        has_more: boolean;
                    };
                };
            };
            /** @description Nothing has changed since the response with the `ETag` that you sent. */
            304: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is invalid, unknown or repeated. `error`: `invalid_request`. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such chain. `error`: `not_found`. */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Your position is beyond the head, or `tip` differs. Discard your events, start over, and tell the user: a chain should only grow. `error`: `chain_rewritten`. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        /** @description For people. It may change. */
                        message: string;
                        issues?: components["schemas"]["Issues"];
                        head: components["schemas"]["Head"];
                    };
                };
            };
            /** @description This client has too many open streams. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readChainLog: {
        parameters: {
            query?: {
                /** @description Selects the sizes above this one. Default: from 1. */
                after?: number;
                /**
                 * @description The number of events.
                 * @example 2
                 */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier response. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The hash of the record.
                 * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                 */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Some sizes of the chain. */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *       "log": "https://trust.example/log",
                     *       "policy": "log trust.example/log+c2310144+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea\nquorum none\n",
                     *       "log_salt": "u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s=",
                     *       "size": 2,
                     *       "entries": [
                     *         {
                     *           "size": 1,
                     *           "index": 70211
                     *         },
                     *         {
                     *           "size": 2,
                     *           "index": 70212
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        hash: string;
                        /**
                         * Format: uri
                         * @description The address of the public log.
                         */
                        log: string;
                        /** @description The policy that the publisher suggests: the log's keys and its witnesses (C2SP tlog-policy). */
                        policy: string;
                        /** @description 32 bytes in base64, with which the entries of this chain are opened. */
                        log_salt: string;
                        /**
                         * Format: int64
                         * @description The number of events of the chain.
                         */
                        size: number;
                        /** @description The place of each size in the log, in ascending order. */
                        entries: {
                            /** Format: int64 */
                            size: number;
                            /**
                             * Format: int64
                             * @description Null until the log has the entry.
                             */
                            index: number | null;
                        }[];
                        has_more: boolean;
                    };
                };
            };
            /** @description Nothing has changed since the response with the `ETag` that you sent. */
            304: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is invalid, unknown or repeated. `error`: `invalid_request`. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such chain, or the log has nothing of it yet. `error`: `not_found`. */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchQualifications: {
        parameters: {
            query?: {
                /**
                 * @description The start of a code, words of a title, or a training package.
                 * @example CHC50121
                 */
                q?: string;
                /** @description The level of the AQF. */
                level?: number;
                /** @description The training package, three letters. */
                package?: string;
                status?: "current" | "superseded";
                /**
                 * @description The number of qualifications.
                 * @example 1
                 */
                limit?: number;
                /** @description The number of matches to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matches. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1,
                     *       "offset": 0,
                     *       "limit": 1,
                     *       "qualifications": [
                     *         {
                     *           "code": "CHC50121",
                     *           "title": "Diploma of Early Childhood Education and Care",
                     *           "aqf_level": 5,
                     *           "level_name": "Diploma",
                     *           "training_package": {
                     *             "code": "CHC",
                     *             "title": "Community Services Training Package"
                     *           },
                     *           "status": "superseded",
                     *           "superseded_by": "CHC50125"
                     *         }
                     *       ],
                     *       "counts": {
                     *         "level": {
                     *           "5": 1
                     *         },
                     *         "package": {
                     *           "CHC": 1
                     *         },
                     *         "status": {
                     *           "superseded": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** Format: int64 */
                        total: number;
                        /** Format: int64 */
                        offset: number;
                        /** Format: int64 */
                        limit: number;
                        qualifications: {
                            /** @description National code: the training package's three letters, then five digits. */
                            code: string;
                            title: string;
                            aqf_level: number;
                            /** @description Qualification type, such as `Certificate III` or `Graduate Diploma`. */
                            level_name: string;
                            training_package: {
                                code: string;
                                title: string;
                            };
                            status: string;
                            /** @description Code of the direct successor; present if and only if `status` is `superseded`. */
                            superseded_by?: string;
                        }[];
                        /** @description The number of matches for each option of a filter, with the other filters unchanged. */
                        counts: {
                            level: {
                                [key: string]: number;
                            };
                            package: {
                                [key: string]: number;
                            };
                            status: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
            /** @description A parameter is invalid. `error`: `invalid_request`. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuer and the key. */
            200: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "issuer",
                     *       "name": "Harbour College",
                     *       "domain": "harbour.example",
                     *       "domain_verified": true,
                     *       "state": "active",
                     *       "test": true,
                     *       "key": {
                     *         "last4": "1nW2",
                     *         "scopes": [
                     *           "documents:read",
                     *           "documents:write"
                     *         ],
                     *         "expires_at": "2027-11-28T09:30:00.000Z"
                     *       },
                     *       "rate_limit": 600
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        object: "issuer";
                        name: string;
                        /** @description Null if the issuer has none. */
                        domain: string | null;
                        domain_verified: boolean;
                        /** @description A `suspended` issuer can read, but not change anything. */
                        state: string;
                        /** @description True for a test key. */
                        test: boolean;
                        key: {
                            /** @description The last four characters of the key. */
                            last4: string;
                            scopes: string[];
                            /** Format: date-time */
                            expires_at: string | null;
                        };
                        /**
                         * Format: int64
                         * @description Requests per minute with this key; null for no limit.
                         */
                        rate_limit: number | null;
                    };
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended. `error`: `issuer_ended`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of a list. */
                cursor?: string;
                /** @example 10 */
                limit?: number;
                /**
                 * @description Your own id of the document, which must not be about a person: it is kept when the recipient is forgotten. We only check that it is unique within the file of a batch.
                 * @example 2026-0117
                 */
                external_id?: string;
                /** @description The recipient's address. */
                email?: string;
                status?: "current" | "expired" | "withdrawn";
                recipient_status?: "waiting" | "accepted" | "refused" | "lapsed";
                created_after?: string;
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents. */
            200: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "document",
                     *           "id": "k3v9-qxw2-m7rb-t4hd",
                     *           "test": true,
                     *           "external_id": "2026-0117",
                     *           "title": "Certificate III in Early Childhood Education",
                     *           "type": "Certificate",
                     *           "date": "2026-11-20",
                     *           "public": false,
                     *           "status": "current",
                     *           "withdrawn_reason": null,
                     *           "expires_on": null,
                     *           "created_at": "2026-11-28T09:30:00.000Z",
                     *           "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
                     *           "recipient": {
                     *             "name": "Grace Student",
                     *             "email": "grace@example.org",
                     *             "status": "waiting"
                     *           },
                     *           "issuer": {
                     *             "name": "Harbour College",
                     *             "domain": "harbour.example",
                     *             "domain_verified": true
                     *           },
                     *           "versions": [
                     *             {
                     *               "number": 1,
                     *               "at": "2026-11-28T09:30:00.000Z",
                     *               "state": "current",
                     *               "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *               "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *               "pages": 1,
                     *               "left_out": [],
                     *               "compared_pages": 1
                     *             }
                     *           ],
                     *           "mail": "none"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Document"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter is invalid, unknown or repeated. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `documents:read`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    issueDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient": {
                 *         "name": "Grace Student",
                 *         "email": "grace@example.org"
                 *       },
                 *       "title": "Certificate III in Early Childhood Education",
                 *       "type": "Certificate",
                 *       "date": "2026-11-20",
                 *       "external_id": "2026-0117",
                 *       "template": {
                 *         "name": "certificate",
                 *         "fields": {
                 *           "subtitle": "CHC30121",
                 *           "grade": "Competent",
                 *           "signatory": "Ruth Harbour"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IssueDocumentBody"];
                "multipart/form-data": components["schemas"]["IssueDocumentForm"];
            };
        };
        responses: {
            /** @description The document is issued. */
            201: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "document",
                     *       "id": "k3v9-qxw2-m7rb-t4hd",
                     *       "test": true,
                     *       "external_id": "2026-0117",
                     *       "title": "Certificate III in Early Childhood Education",
                     *       "type": "Certificate",
                     *       "date": "2026-11-20",
                     *       "public": false,
                     *       "status": "current",
                     *       "withdrawn_reason": null,
                     *       "expires_on": null,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
                     *       "recipient": {
                     *         "name": "Grace Student",
                     *         "email": "grace@example.org",
                     *         "status": "waiting"
                     *       },
                     *       "issuer": {
                     *         "name": "Harbour College",
                     *         "domain": "harbour.example",
                     *         "domain_verified": true
                     *       },
                     *       "versions": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-28T09:30:00.000Z",
                     *           "state": "current",
                     *           "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "pages": 1,
                     *           "left_out": [],
                     *           "compared_pages": 1
                     *         }
                     *       ],
                     *       "mail": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description A field is invalid, or the file cannot be issued: `issues` says why. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `recipient_refused`: the owner of the address has said that it is not the recipient's; `recipient_unavailable`: the recipient is deleting their record; `too_many_documents`: the recipient has 100 documents of yours. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `recipient_refused`, `recipient_unavailable`, `too_many_documents`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has succeeded before, but the saved response was erased with the recipient's data. `error`: `erased`. */
            410: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json` or `multipart/form-data`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkNewDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient": {
                 *         "name": "Grace Student",
                 *         "email": "grace@example.org"
                 *       },
                 *       "title": "Certificate III in Early Childhood Education",
                 *       "type": "Certificate",
                 *       "date": "2026-11-20",
                 *       "external_id": "2026-0117",
                 *       "template": {
                 *         "name": "certificate",
                 *         "fields": {
                 *           "subtitle": "CHC30121",
                 *           "grade": "Competent",
                 *           "signatory": "Ruth Harbour"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CheckNewDocumentBody"];
                "multipart/form-data": components["schemas"]["CheckNewDocumentForm"];
            };
        };
        responses: {
            /** @description The document can be issued. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "document_check",
                     *       "pages": 1,
                     *       "has_copy": true,
                     *       "left_out": [],
                     *       "compared_pages": 1
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentCheck"];
                };
            };
            /** @description A field is invalid, or the file cannot be issued: `issues` says why. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. `error`: `idempotency_mismatch`, `idempotency_in_progress`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has succeeded before, but the saved response was erased with the recipient's data. `error`: `erased`. */
            410: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json` or `multipart/form-data`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The document's id, with or without hyphens, in any case.
                 * @example k3v9-qxw2-m7rb-t4hd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "document",
                     *       "id": "k3v9-qxw2-m7rb-t4hd",
                     *       "test": true,
                     *       "external_id": "2026-0117",
                     *       "title": "Certificate III in Early Childhood Education",
                     *       "type": "Certificate",
                     *       "date": "2026-11-20",
                     *       "public": false,
                     *       "status": "current",
                     *       "withdrawn_reason": null,
                     *       "expires_on": null,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
                     *       "recipient": {
                     *         "name": "Grace Student",
                     *         "email": "grace@example.org",
                     *         "status": "waiting"
                     *       },
                     *       "issuer": {
                     *         "name": "Harbour College",
                     *         "domain": "harbour.example",
                     *         "domain_verified": true
                     *       },
                     *       "versions": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-28T09:30:00.000Z",
                     *           "state": "current",
                     *           "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "pages": 1,
                     *           "left_out": [],
                     *           "compared_pages": 1
                     *         }
                     *       ],
                     *       "mail": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `documents:read`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such document among those that the issuer has issued through the API, with keys of this mode. It may have been erased with its recipient's record. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadDocument: {
        parameters: {
            query?: {
                /**
                 * @description The copy with codes on every page, or the file as it was sent.
                 * @example original
                 */
                form?: "issued" | "original";
                /** @description Default: the newest. */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The document's id, with or without hyphens, in any case.
                 * @example k3v9-qxw2-m7rb-t4hd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, with its media type. */
            200: {
                headers: {
                    /** @description The name of the file (RFC 6266). */
                    "Content-Disposition": string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A parameter is invalid, unknown or repeated. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `documents:read`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such document among those that the issuer has issued through the API, with keys of this mode. It may have been erased with its recipient's record. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The files are erased, because the recipient has refused the document, or has not accepted it in 90 days. The hashes can still be checked. `error`: `erased`. */
            410: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The document's id, with or without hyphens, in any case.
                 * @example k3v9-qxw2-m7rb-t4hd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "QSBjZXJ0aWZpY2F0ZSwgY29ycmVjdGVk",
                 *       "file_name": "certificate.txt"
                 *     }
                 */
                "application/json": components["schemas"]["ReplaceDocumentBody"];
                "multipart/form-data": components["schemas"]["ReplaceDocumentForm"];
            };
        };
        responses: {
            /** @description The document with its new version. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "document",
                     *       "id": "k3v9-qxw2-m7rb-t4hd",
                     *       "test": true,
                     *       "external_id": "2026-0117",
                     *       "title": "Certificate III in Early Childhood Education",
                     *       "type": "Certificate",
                     *       "date": "2026-11-20",
                     *       "public": false,
                     *       "status": "current",
                     *       "withdrawn_reason": null,
                     *       "expires_on": null,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
                     *       "recipient": {
                     *         "name": "Grace Student",
                     *         "email": "grace@example.org",
                     *         "status": "waiting"
                     *       },
                     *       "issuer": {
                     *         "name": "Harbour College",
                     *         "domain": "harbour.example",
                     *         "domain_verified": true
                     *       },
                     *       "versions": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-28T09:30:00.000Z",
                     *           "state": "replaced",
                     *           "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "pages": 1,
                     *           "left_out": [],
                     *           "compared_pages": 1
                     *         },
                     *         {
                     *           "number": 2,
                     *           "at": "2026-11-29T10:00:00.000Z",
                     *           "state": "current",
                     *           "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "pages": 1,
                     *           "left_out": [],
                     *           "compared_pages": 1
                     *         }
                     *       ],
                     *       "mail": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description A field is invalid, or the file cannot be issued: `issues` says why. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such document among those that the issuer has issued through the API, with keys of this mode. It may have been erased with its recipient's record. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: the file is already the current version; `too_many_versions`: the document has 100 versions; `recipient_refused`: the owner of the address has said that it is not the recipient's; `recipient_forgotten`: nobody accepted the document in time, so its files are erased. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`, `too_many_versions`, `recipient_refused`, `recipient_forgotten`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has succeeded before, but the saved response was erased with the recipient's data. `error`: `erased`. */
            410: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json` or `multipart/form-data`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    withdrawDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The document's id, with or without hyphens, in any case.
                 * @example k3v9-qxw2-m7rb-t4hd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The assessment was annulled."
                 *     }
                 */
                "application/json": components["schemas"]["WithdrawDocumentBody"];
            };
        };
        responses: {
            /** @description The document, withdrawn. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "document",
                     *       "id": "k3v9-qxw2-m7rb-t4hd",
                     *       "test": true,
                     *       "external_id": "2026-0117",
                     *       "title": "Certificate III in Early Childhood Education",
                     *       "type": "Certificate",
                     *       "date": "2026-11-20",
                     *       "public": false,
                     *       "status": "withdrawn",
                     *       "withdrawn_reason": "The assessment was annulled.",
                     *       "expires_on": null,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
                     *       "recipient": {
                     *         "name": "Grace Student",
                     *         "email": "grace@example.org",
                     *         "status": "waiting"
                     *       },
                     *       "issuer": {
                     *         "name": "Harbour College",
                     *         "domain": "harbour.example",
                     *         "domain_verified": true
                     *       },
                     *       "versions": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-28T09:30:00.000Z",
                     *           "state": "withdrawn",
                     *           "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "pages": 1,
                     *           "left_out": [],
                     *           "compared_pages": 1
                     *         }
                     *       ],
                     *       "mail": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description The reason is missing or too long. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such document among those that the issuer has issued through the API, with keys of this mode. It may have been erased with its recipient's record. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: the document is already withdrawn. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has succeeded before, but the saved response was erased with the recipient's data. `error`: `erased`. */
            410: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The document's id, with or without hyphens, in any case.
                 * @example k3v9-qxw2-m7rb-t4hd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ResendDocumentBody"];
            };
        };
        responses: {
            /** @description The email is queued. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "document",
                     *       "id": "k3v9-qxw2-m7rb-t4hd",
                     *       "test": true,
                     *       "external_id": "2026-0117",
                     *       "title": "Certificate III in Early Childhood Education",
                     *       "type": "Certificate",
                     *       "date": "2026-11-20",
                     *       "public": false,
                     *       "status": "current",
                     *       "withdrawn_reason": null,
                     *       "expires_on": null,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
                     *       "recipient": {
                     *         "name": "Grace Student",
                     *         "email": "grace@example.org",
                     *         "status": "waiting"
                     *       },
                     *       "issuer": {
                     *         "name": "Harbour College",
                     *         "domain": "harbour.example",
                     *         "domain_verified": true
                     *       },
                     *       "versions": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-28T09:30:00.000Z",
                     *           "state": "current",
                     *           "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "pages": 1,
                     *           "left_out": [],
                     *           "compared_pages": 1
                     *         }
                     *       ],
                     *       "mail": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description A field is unknown. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such document among those that the issuer has issued through the API, with keys of this mode. It may have been erased with its recipient's record. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `recipient_forgotten`: name and address of the recipient are erased. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `recipient_forgotten`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has succeeded before, but the saved response was erased with the recipient's data. `error`: `erased`. */
            410: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. The recipient was emailed three times in the last 24 hours. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    simulateRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The document's id, with or without hyphens, in any case.
                 * @example k3v9-qxw2-m7rb-t4hd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "as": "accepted"
                 *     }
                 */
                "application/json": components["schemas"]["SimulateRecipientBody"];
            };
        };
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "document",
                     *       "id": "k3v9-qxw2-m7rb-t4hd",
                     *       "test": true,
                     *       "external_id": "2026-0117",
                     *       "title": "Certificate III in Early Childhood Education",
                     *       "type": "Certificate",
                     *       "date": "2026-11-20",
                     *       "public": false,
                     *       "status": "current",
                     *       "withdrawn_reason": null,
                     *       "expires_on": null,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
                     *       "recipient": {
                     *         "name": "Grace Student",
                     *         "email": "grace@example.org",
                     *         "status": "accepted"
                     *       },
                     *       "issuer": {
                     *         "name": "Harbour College",
                     *         "domain": "harbour.example",
                     *         "domain_verified": true
                     *       },
                     *       "versions": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-28T09:30:00.000Z",
                     *           "state": "current",
                     *           "original_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "issued_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "pages": 1,
                     *           "left_out": [],
                     *           "compared_pages": 1
                     *         }
                     *       ],
                     *       "mail": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description Send what the recipient does. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. The key is a live key. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`, `forbidden`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such document among those that the issuer has issued through the API, with keys of this mode. It may have been erased with its recipient's record. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: the recipient has already done something else. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has succeeded before, but the saved response was erased with the recipient's data. `error`: `erased`. */
            410: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBatches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batches. */
            200: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "batch",
                     *           "id": "9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11",
                     *           "test": true,
                     *           "state": "holding",
                     *           "stopped": null,
                     *           "file_name": "graduates.csv",
                     *           "rows": 2,
                     *           "issued": 2,
                     *           "failed": 0,
                     *           "sent": 0,
                     *           "removed": 0,
                     *           "kept": 0,
                     *           "returned": 0,
                     *           "created_at": "2026-11-28T09:30:00.000Z",
                     *           "send_at": "2026-11-28T10:30:00.000Z",
                     *           "finished_at": null,
                     *           "expires_at": "2026-12-28T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        object: "list";
                        /** @description The newest first. */
                        data: components["schemas"]["Batch"][];
                    };
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `documents:read`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createBatch: {
        parameters: {
            query?: {
                /**
                 * @description The title, at most 120 characters.
                 * @example Certificate III in Early Childhood Education
                 */
                title?: string;
                /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
                type?: string;
                /**
                 * @description The day that the document states. A certificate needs one.
                 * @example 2026-11-20
                 */
                date?: string;
                /** @description The last day, in UTC, on which the document is valid. */
                expires_on?: string;
                /** @description Below the title, such as a code or a specialisation. At most 200 characters. */
                subtitle?: string;
                /** @description The result. At most 60 characters. */
                grade?: string;
                /** @description The name of the person who signs. At most 80 characters. */
                signatory?: string;
                /** @description The position of that person. At most 100 characters. */
                signatory_title?: string;
                /** @description The size of the paper: A4, which is the default, or US Letter. */
                paper?: "A4" | "Letter";
                /** @example graduates.csv */
                file_name?: string;
                /** @description `leave_out` continues without the rows whose only problem is that their certificates cannot be printed, such as a name that the fonts cannot show. By default, they are refused like other problems. */
                unprintable?: "refuse" | "leave_out";
                /** @description `true` issues the file again although the same rows have begun a batch within ten minutes. A request with an `Idempotency-Key` is never refused for that. */
                allow_duplicate?: "true" | "false";
            };
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example name,email,external_id,grade
                 *     Grace Student,grace@example.org,2026-0117,Competent
                 *     Zoë Müller,zoe@example.org,2026-0118,Competent
                 */
                "text/csv": string;
                "multipart/form-data": components["schemas"]["CreateBatchForm"];
            };
        };
        responses: {
            /** @description The file has no problems. Its documents are being issued. */
            201: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "batch",
                     *       "id": "9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11",
                     *       "test": true,
                     *       "state": "issuing",
                     *       "stopped": null,
                     *       "file_name": "graduates.csv",
                     *       "rows": 2,
                     *       "issued": 0,
                     *       "failed": 0,
                     *       "sent": 0,
                     *       "removed": 0,
                     *       "kept": 0,
                     *       "returned": 0,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "send_at": null,
                     *       "finished_at": null,
                     *       "expires_at": "2026-12-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description A parameter is invalid, or the file cannot be read. Or `invalid_rows`: `rows` names each problem, at most 1,000 of them. The `Idempotency-Key` is malformed. `error`: `invalid_request`, `invalid_rows`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: ten batches are in progress; for tests, those whose emails wait do not count. Or `duplicate_batch`: without an `Idempotency-Key`, the same rows of the same key have begun a batch within ten minutes, which `batch` names. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`, `duplicate_batch`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        /** @description For people. It may change. */
                        message: string;
                        issues?: components["schemas"]["Issues"];
                        /** @description The id of the batch that was begun. */
                        batch?: string;
                    };
                };
            };
            /** @description The file has too many rows or lines, or more than 8 MiB. `error`: `too_large`. */
            413: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `text/csv` or `multipart/form-data`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkBatch: {
        parameters: {
            query?: {
                /**
                 * @description The title, at most 120 characters.
                 * @example Certificate III in Early Childhood Education
                 */
                title?: string;
                /** @description The kind of document, such as `Certificate`, which everybody sees. At most 60 characters. */
                type?: string;
                /**
                 * @description The day that the document states. A certificate needs one.
                 * @example 2026-11-20
                 */
                date?: string;
                /** @description The last day, in UTC, on which the document is valid. */
                expires_on?: string;
                /** @description Below the title, such as a code or a specialisation. At most 200 characters. */
                subtitle?: string;
                /** @description The result. At most 60 characters. */
                grade?: string;
                /** @description The name of the person who signs. At most 80 characters. */
                signatory?: string;
                /** @description The position of that person. At most 100 characters. */
                signatory_title?: string;
                /** @description The size of the paper: A4, which is the default, or US Letter. */
                paper?: "A4" | "Letter";
                /** @example graduates.csv */
                file_name?: string;
                /** @description `leave_out` continues without the rows whose only problem is that their certificates cannot be printed, such as a name that the fonts cannot show. By default, they are refused like other problems. */
                unprintable?: "refuse" | "leave_out";
            };
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example name,email,external_id,grade
                 *     Grace Student,grace@example.org,2026-0117,Competent
                 *     Zoë Müller,zoe@example.org,2026-0118,Competent
                 */
                "text/csv": string;
                "multipart/form-data": components["schemas"]["CheckBatchForm"];
            };
        };
        responses: {
            /** @description The file has no problems, apart from rows that are left out. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "batch_check",
                     *       "rows": 2,
                     *       "left_out": []
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        object: "batch_check";
                        /**
                         * Format: int64
                         * @description The number of rows. None of them has a problem.
                         */
                        rows: number;
                        /** @description Why rows are left out, with `unprintable=leave_out`. */
                        left_out: {
                            /**
                             * Format: int64
                             * @description The number of the row's first line in the file, from 1.
                             */
                            line: number;
                            /** @description Null if it concerns the whole row. */
                            column: string | null;
                            value?: string;
                            reason: string;
                        }[];
                    };
                };
            };
            /** @description A parameter is invalid, or the file cannot be read. Or `invalid_rows`: `rows` names each problem, at most 1,000 of them. The `Idempotency-Key` is malformed. `error`: `invalid_request`, `invalid_rows`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. `error`: `idempotency_mismatch`, `idempotency_in_progress`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The file has too many rows or lines, or more than 8 MiB. `error`: `too_large`. */
            413: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `text/csv` or `multipart/form-data`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. */
                "If-None-Match"?: string;
                /** @description Resumes a stream; takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The id of the batch.
                 * @example 9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "batch",
                     *       "id": "9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11",
                     *       "test": true,
                     *       "state": "holding",
                     *       "stopped": null,
                     *       "file_name": "graduates.csv",
                     *       "rows": 2,
                     *       "issued": 2,
                     *       "failed": 0,
                     *       "sent": 0,
                     *       "removed": 0,
                     *       "kept": 0,
                     *       "returned": 0,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "send_at": "2026-11-28T10:30:00.000Z",
                     *       "finished_at": null,
                     *       "expires_at": "2026-12-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` that you sent. */
            304: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `documents:read`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such batch of the issuer in this mode, or it has expired. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the batch.
                 * @example 9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["SendBatchBody"];
            };
        };
        responses: {
            /** @description The emails are sent now. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "batch",
                     *       "id": "9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11",
                     *       "test": true,
                     *       "state": "holding",
                     *       "stopped": null,
                     *       "file_name": "graduates.csv",
                     *       "rows": 2,
                     *       "issued": 2,
                     *       "failed": 0,
                     *       "sent": 0,
                     *       "removed": 0,
                     *       "kept": 0,
                     *       "returned": 0,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "send_at": "2026-11-28T09:31:00.000Z",
                     *       "finished_at": null,
                     *       "expires_at": "2026-12-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description A field is unknown. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such batch of the issuer in this mode, or it has expired. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: the batch was cancelled. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the batch.
                 * @example 9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CancelBatchBody"];
            };
        };
        responses: {
            /** @description The documents are being erased. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "batch",
                     *       "id": "9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11",
                     *       "test": true,
                     *       "state": "undoing",
                     *       "stopped": null,
                     *       "file_name": "graduates.csv",
                     *       "rows": 2,
                     *       "issued": 2,
                     *       "failed": 0,
                     *       "sent": 0,
                     *       "removed": 0,
                     *       "kept": 0,
                     *       "returned": 0,
                     *       "created_at": "2026-11-28T09:30:00.000Z",
                     *       "send_at": "2026-11-28T10:30:00.000Z",
                     *       "finished_at": null,
                     *       "expires_at": "2026-12-28T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description A field is unknown. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `documents:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such batch of the issuer in this mode, or it has expired. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: emails are being sent, were or are due. Withdraw documents instead. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readBatchResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example 9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results, as CSV in UTF-8 with a byte order mark. */
            200: {
                headers: {
                    /** @description The name of the file (RFC 6266). */
                    "Content-Disposition": string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example "line","external_id","external_id_unchanged","status","error","reason","document","url","original_sha256","issued_sha256" */
                    "text/csv": string;
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `documents:read`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such batch of the issuer in this mode, or it has expired. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "object": "webhook",
                     *           "id": "5b7ee413-a204-4f7f-a714-0b0836c04f2a",
                     *           "test": true,
                     *           "url": "https://records.harbour.example/events",
                     *           "description": "Student records",
                     *           "events": [
                     *             "document.accepted",
                     *             "document.refused"
                     *           ],
                     *           "state": "active",
                     *           "paused_reason": null,
                     *           "failing_since": null,
                     *           "previous_secret_until": null,
                     *           "created_at": "2026-11-20T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                    };
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://records.harbour.example/events",
                 *       "description": "Student records",
                 *       "events": [
                 *         "document.accepted",
                 *         "document.refused"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description The webhook and its secret. */
            201: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "5b7ee413-a204-4f7f-a714-0b0836c04f2a",
                     *       "test": true,
                     *       "url": "https://records.harbour.example/events",
                     *       "description": "Student records",
                     *       "events": [
                     *         "document.accepted",
                     *         "document.refused"
                     *       ],
                     *       "state": "active",
                     *       "paused_reason": null,
                     *       "failing_since": null,
                     *       "previous_secret_until": null,
                     *       "created_at": "2026-11-20T09:30:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description A member is invalid, or the URL leads to an address that is not on the public internet. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: there are 16 webhooks in this mode already. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "5b7ee413-a204-4f7f-a714-0b0836c04f2a",
                     *       "test": true,
                     *       "url": "https://records.harbour.example/events",
                     *       "description": "Student records",
                     *       "events": [
                     *         "document.accepted",
                     *         "document.refused"
                     *       ],
                     *       "state": "active",
                     *       "paused_reason": null,
                     *       "failing_since": null,
                     *       "previous_secret_until": null,
                     *       "created_at": "2026-11-20T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "document.accepted",
                 *         "document.refused"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWebhookBody"];
            };
        };
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "5b7ee413-a204-4f7f-a714-0b0836c04f2a",
                     *       "test": true,
                     *       "url": "https://records.harbour.example/events",
                     *       "description": "Student records",
                     *       "events": [
                     *         "document.accepted",
                     *         "document.refused"
                     *       ],
                     *       "state": "active",
                     *       "paused_reason": null,
                     *       "failing_since": null,
                     *       "previous_secret_until": null,
                     *       "created_at": "2026-11-20T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description A member is invalid, or the URL leads to an address that is not on the public internet. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. `error`: `idempotency_mismatch`, `idempotency_in_progress`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is removed. */
            204: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keep_previous": true
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretBody"];
            };
        };
        responses: {
            /** @description The webhook and its secret. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "5b7ee413-a204-4f7f-a714-0b0836c04f2a",
                     *       "test": true,
                     *       "url": "https://records.harbour.example/events",
                     *       "description": "Student records",
                     *       "events": [
                     *         "document.accepted",
                     *         "document.refused"
                     *       ],
                     *       "state": "active",
                     *       "paused_reason": null,
                     *       "failing_since": null,
                     *       "previous_secret_until": "2026-11-21T09:30:00.000Z",
                     *       "created_at": "2026-11-20T09:30:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description A member is invalid. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. `error`: `idempotency_mismatch`, `idempotency_in_progress`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "5b7ee413-a204-4f7f-a714-0b0836c04f2a",
                     *       "test": true,
                     *       "url": "https://records.harbour.example/events",
                     *       "description": "Student records",
                     *       "events": [
                     *         "document.accepted",
                     *         "document.refused"
                     *       ],
                     *       "state": "paused",
                     *       "paused_reason": "issuer",
                     *       "failing_since": null,
                     *       "previous_secret_until": null,
                     *       "created_at": "2026-11-20T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. `error`: `idempotency_mismatch`, `idempotency_in_progress`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "5b7ee413-a204-4f7f-a714-0b0836c04f2a",
                     *       "test": true,
                     *       "url": "https://records.harbour.example/events",
                     *       "description": "Student records",
                     *       "events": [
                     *         "document.accepted",
                     *         "document.refused"
                     *       ],
                     *       "state": "active",
                     *       "paused_reason": null,
                     *       "failing_since": null,
                     *       "previous_secret_until": null,
                     *       "created_at": "2026-11-20T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. `error`: `idempotency_mismatch`, `idempotency_in_progress`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is being sent. */
            202: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery": "msg_01KJ3QN4G0T8ZC2R6WXA9B5M7E"
                     *     }
                     */
                    "application/json": {
                        /** @description The `id` of the delivery. */
                        delivery: string;
                    };
                };
            };
            /** @description The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: the webhook is paused. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-20T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayWebhookBody"];
            };
        };
        responses: {
            /** @description The number of events. */
            202: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int64
                         * @description The number of events that are sent again.
                         */
                        count: number;
                    };
                };
            };
            /** @description The time is invalid. The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. `error`: `idempotency_mismatch`, `idempotency_in_progress`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "object": "webhook_delivery",
                     *           "id": "msg_01KJ3QN4G0T8ZC2R6WXA9B5M7E",
                     *           "type": "document.accepted",
                     *           "state": "delivered",
                     *           "attempts": 1,
                     *           "response_status": 204,
                     *           "error": null,
                     *           "latency_ms": 184,
                     *           "created_at": "2026-11-20T09:31:12.000Z",
                     *           "attempted_at": "2026-11-20T09:31:12.200Z",
                     *           "next_attempt_at": null,
                     *           "payload": {
                     *             "type": "document.accepted",
                     *             "timestamp": "2026-11-20T09:31:12.000Z",
                     *             "data": {
                     *               "id": "k3v9-qxw2-m7rb-t4hd",
                     *               "external_id": "2026-0117",
                     *               "test": true,
                     *               "state": "current",
                     *               "version": 1,
                     *               "url": "https://trust.example/d/K3V9-QXW2-M7RB-T4HD"
                     *             }
                     *           },
                     *           "headers": {
                     *             "content-type": "application/json",
                     *             "webhook-id": "msg_01KJ3QN4G0T8ZC2R6WXA9B5M7E",
                     *             "webhook-timestamp": "1795167072",
                     *             "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                    };
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII characters. A repeated request with the same key changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `id` of the webhook.
                 * @example 5b7ee413-a204-4f7f-a714-0b0836c04f2a
                 */
                id: string;
                /**
                 * @description The `id` of the delivery.
                 * @example msg_01KJ3QN4G0T8ZC2R6WXA9B5M7E
                 */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is being sent. */
            202: {
                headers: {
                    /** @description `true` if this is the saved response to an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery": "msg_01KJ3QN4G0T8ZC2R6WXA9B5M7E"
                     *     }
                     */
                    "application/json": {
                        /** @description The `id` of the delivery. */
                        delivery: string;
                    };
                };
            };
            /** @description The `Idempotency-Key` is malformed. `error`: `invalid_request`. */
            400: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no API key in the `Authorization` header, or it is mistyped, unknown, expired or revoked. Or the URL has a key. `error`: `unauthenticated`. */
            401: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has ended, or it is suspended and can only read, or the key lacks the scope `webhooks:write`. `error`: `issuer_ended`, `issuer_suspended`, `insufficient_scope`. */
            403: {
                headers: {
                    /** @description How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1). */
                    "WWW-Authenticate"?: string;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The issuer has no such webhook in the mode of the key, or it has no such delivery. `error`: `not_found`. */
            404: {
                headers: {
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another request was sent with this `Idempotency-Key`, or the same request is still running. Or `conflict`: the webhook is paused. `error`: `idempotency_mismatch`, `idempotency_in_progress`, `conflict`. */
            409: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used too often within a minute, or the address failed too often. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    /** @description What is left of the key's limit, such as `"default";r=599;t=60`: the number of requests, and the seconds until there are more (draft-ietf-httpapi-ratelimit-headers). */
                    RateLimit?: string;
                    /** @description The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds. */
                    "RateLimit-Policy"?: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "gh_live_0123456789ABCDEFGHIJKLMNOPQRSTUV2OrVfl"
                 *     }
                 */
                "application/json": components["schemas"]["RevokeKeyBody"];
            };
        };
        responses: {
            /** @description None of the keys works any more. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revoked": true
                     *     }
                     */
                    "application/json": {
                        revoked: boolean;
                    };
                };
            };
            /** @description There is no key, its checksum is wrong, or there are more than 100. `error`: `invalid_request`. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`. `error`: `unsupported_media_type`. */
            415: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description This address has sent more than 120 keys in a minute. `error`: `rate_limited`. */
            429: {
                headers: {
                    /** @description When to try again, in seconds. */
                    "Retry-After"?: number;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.1";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Nothing has changed since the response with the `ETag` that you sent. */
            304: {
                headers: {
                    /** @description Send it as `If-None-Match`; the response is 304 if nothing has changed. */
                    ETag: string;
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Another error. */
            default: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    onDocumentIssued: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.issued";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentAccepted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.accepted";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentRefused: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.refused";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentLapsed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.lapsed";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentReplaced: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.replaced";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentWithdrawn: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.withdrawn";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentErased: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.erased";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentAlsoRegistered: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "document.also_registered";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description Your own id of the document. */
                        external_id: string | null;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /**
                         * Format: int64
                         * @description The number of the newest version.
                         */
                        version: number;
                        /** @description Where anybody can check it. */
                        url: string;
                        /** @description The other organisation. */
                        also_registered_by: {
                            issuer: string;
                            issuer_domain: string | null;
                            issuer_domain_verified_at: string | null;
                            /** Format: date-time */
                            registered_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBatchCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "batch.completed";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /** Format: int64 */
                        rows: number;
                        /** Format: int64 */
                        issued: number;
                        /** Format: int64 */
                        failed: number;
                        /** Format: int64 */
                        sent: number;
                        /**
                         * Format: int64
                         * @description The emails that came back so far.
                         */
                        returned: number;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBatchStopped: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "batch.stopped";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /** Format: int64 */
                        rows: number;
                        /** Format: int64 */
                        issued: number;
                        /** Format: int64 */
                        failed: number;
                        /** Format: int64 */
                        sent: number;
                        /**
                         * Format: int64
                         * @description The emails that came back so far.
                         */
                        returned: number;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBatchUndone: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "batch.undone";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @description True if it is about a test. */
                        test: boolean;
                        state: string;
                        /** Format: int64 */
                        rows: number;
                        /** Format: int64 */
                        issued: number;
                        /** Format: int64 */
                        failed: number;
                        /** Format: int64 */
                        sent: number;
                        /**
                         * Format: int64
                         * @description The emails that came back so far.
                         */
                        returned: number;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. Act on each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret. While a secret is being replaced, there are two, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.test";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: {
                        /** @description The id of the webhook. */
                        webhook: string;
                        /** @description True if it is about a test. */
                        test: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Any other status than 2xx is repeated for three days. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
