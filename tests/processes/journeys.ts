/** The simulated people of the tests with several processes, and a tally of what they experience. */
import { PERSON } from "../contact_site.ts";
import { CHALLENGE, VERIFIER } from "../oauth_site.ts";
import { readStream } from "../../lib/platform/http/testing/streams.ts";
import { transact } from "../../lib/platform/kv/mod.ts";
import { KEY_LEVEL } from "../../lib/features/records/mod.ts";
import { type RecordRow, recordRows } from "../../lib/features/records/record/store.ts";
import { type Cluster, type SendInit, Unanswered } from "./cluster.ts";
import type { Host } from "./providers.ts";
import { cookiesOf } from "./send.ts";

/** A mail whose sender was killed is sent by another process after its claim has expired. */
const MAIL_WITHIN_MS = 150_000;

/** The results of all people's journeys. */
export interface Tally {
  /** Requests that a process answered, by status. */
  statuses: Record<string, number>;
  /** Requests whose process died. */
  unanswered: number;
  /** Things that must not have happened. */
  faults: string[];
  /** The hash of each registered record, by the key of its registration. */
  registered: Map<string, string>;
  /** By hash, the events that were acknowledged, and how many more there may be. */
  events: Map<string, { acknowledged: Record<string, number>; uncertain: Record<string, number> }>;
  /** The `seq` of the events that a stream delivered, by hash. */
  streamed: Map<string, number[]>;
  /** How many journeys of each kind have ended. */
  done: Record<string, number>;
}

export const newTally = (): Tally => ({
  statuses: {},
  unanswered: 0,
  faults: [],
  registered: new Map(),
  events: new Map(),
  streamed: new Map(),
  done: {},
});

/** The answer to a request; null if its process died or could not handle it. */
interface Answer {
  status: number;
  text: string;
  cookies: string;
  location: string | null;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let people = 0;

/** The people who use the site. Each function is one journey. */
export function createJourneys(cluster: Cluster, tally: Tally) {
  async function attempt(host: Host, path: string, init: SendInit = {}): Promise<Answer | null> {
    try {
      const response = await cluster.send(host, path, init);
      const { status, headers } = response;
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
      const text = await response.text();
      if (status >= 500) return null;
      return { status, text, cookies: cookiesOf(response), location: headers.get("location") };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      tally.unanswered++;
      return null;
    }
  }

  /** Repeats a request that may be repeated until it is answered. */
  async function send(host: Host, path: string, init: SendInit = {}): Promise<Answer> {
    for (let i = 0; i < 100; i++) {
      const answer = await attempt(host, path, init);
      if (answer !== null) return answer;
      await pause(100);
    }
    throw new Error(`${path} was never answered.`);
  }

  /**
   * Sends a request to all processes at the same time, of which only one may succeed.
   *
   * @returns the success; null if nobody knows, because a process died
   */
  async function race(
    what: string,
    succeeds: (answer: Answer) => boolean,
    ...[host, path, init]: [host: Host, path: string, init: SendInit]
  ): Promise<Answer | null> {
    const answers = await Promise.all(
      [0, 1, 2].map((to) => attempt(host, path, { ...init, to })),
    );
    const won = answers.filter((answer) => answer !== null && succeeds(answer));
    if (won.length > 1) tally.faults.push(`${what}: ${won.length} succeeded`);
    if (won.length === 0 && !answers.includes(null)) {
      const seen = answers.map((answer) => `${answer!.status} ${answer!.text.slice(0, 200)}`);
      tally.faults.push(`${what}: none succeeded: ${seen.join(" | ")}`);
    }
    return won[0] ?? null;
  }

  /** Notes an event that was acknowledged, or that may have been appended. */
  function note(hash: string, kind: string, isCertain: boolean) {
    const events = tally.events.get(hash)!;
    const counts = isCertain ? events.acknowledged : events.uncertain;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }

  /** Gives a record the level at which it gets a key, as an administrator does. */
  const raise = (hash: string) =>
    transact(async () => {
      const entry = await recordRows.get(cluster.kv, hash);
      const row: RecordRow = { ...entry.value!, level: KEY_LEVEL };
      return { result: row, commit: cluster.kv.atomic().check(entry).set(entry.key, row) };
    });

  const done = (journey: string) => tally.done[journey] = (tally.done[journey] ?? 0) + 1;

  /** Follows a chain, and reconnects after the last event that it has seen. */
  async function follow(hash: string, signal: AbortSignal) {
    const seen: number[] = [];
    tally.streamed.set(hash, seen);
    while (!signal.aborted) {
      try {
        const headers = {
          accept: "text/event-stream",
          ...seen.length > 0 ? { "last-event-id": String(seen.at(-1)) } : {},
        };
        const query = seen.length > 0 ? "" : "?after=0";
        const response = await cluster.send("api", `/api/chain/${hash}${query}`, {
          headers,
          signal,
          from: addressOf(people++),
        });
        if (response.headers.get("content-type") !== "text/event-stream") {
          await response.body?.cancel();
          await pause(100);
          continue;
        }
        const stream = readStream(response);
        for (let message; (message = await stream.next()) !== null;) {
          if (message.data !== undefined) seen.push(message.data.seq);
        }
      } catch {
        await pause(50);
      }
    }
  }

  return {
    attempt,
    follow,

    /** Registers, confirms the address and the number, gets a key, and has others check it. */
    async holder(follows: (hash: string) => void): Promise<void> {
      const id = people++;
      const email = `holder-${id}@test.org`;
      const key = crypto.randomUUID();
      const from = addressOf(id);
      const number = `0412${String(id * 9973 % 1_000_000).padStart(6, "0")}`;
      const enquiry = { ...PERSON, email, mobile: { country: "AU", number } };
      const registration = { json: enquiry, headers: { "idempotency-key": key }, from };
      const registered = await send("api", "/api/ir/register", registration);
      const { hash } = JSON.parse(registered.text);
      tally.registered.set(key, hash);
      tally.events.set(hash, { acknowledged: { hash_generated: 1 }, uncertain: {} });
      follows(hash);
      const again = await send("api", "/api/ir/register", registration);
      if (JSON.parse(again.text).hash !== hash) tally.faults.push("registered twice");

      const mail = await cluster.mail(
        ({ to, text }) => to === email && text.includes("/confirm?token="),
        MAIL_WITHIN_MS,
      );
      if (mail === null) return void tally.faults.push("a confirmation was never mailed");
      const form = { token: /token=([\w-]{43})/.exec(mail.text)![1] };
      const opened = ({ status, cookies }: Answer) =>
        status === 200 && cookies.includes("record_session");
      const confirmed = await race("confirmation", opened, "trust", "/confirm", { form, from });
      note(hash, "email_confirmed", confirmed !== null);
      if (confirmed === null) return;
      const cookie = confirmed.cookies;

      const purpose = "confirm_number";
      const ok = ({ status }: Answer) => status === 200;
      const path = "/api/auth/otp";
      const json = { method: "sms", purpose };
      const sent = await race("code", ok, "trust", `${path}/send`, { json, cookie, from });
      if (sent === null) return;
      const e164 = `+61${number.slice(1)}`;
      const code = await cluster.code(e164);
      if (code === null) return void done("holder without a code");
      const verification = { json: { code, purpose }, cookie: `${cookie}; ${sent.cookies}`, from };
      const entered = await race("code entered", ok, "trust", `${path}/verify`, verification);
      note(hash, "sms_confirmed", entered !== null);
      if (entered === null) return;

      await raise(hash);
      const accept = { accept: "application/json" };
      const shown = await race("key", ({ status }) => status === 201, "trust", "/my-record/key", {
        json: { act: "show" },
        headers: accept,
        cookie,
        from,
      });
      note(hash, "k2_delivered", shown !== null);
      if (shown === null) return;
      const { key: recordKey } = JSON.parse(shown.text);
      for (let i = 0; i < 5; i++) {
        const reader = addressOf(people++);
        const asked = await send("trust", "/k", {
          json: { key: recordKey },
          headers: accept,
          from: reader,
        });
        const { nonce } = JSON.parse(asked.text);
        const report = { json: { nonce }, from: reader };
        const counted = await race("nonce", ok, "trust", "/k/verified", report);
        note(hash, "record_verified", counted !== null);
      }
      done("holder");
    },

    /** Signs in with a link, is signed in everywhere, signs out, and is signed out everywhere. */
    async visitor(): Promise<void> {
      const id = people++;
      const email = `visitor-${id}@test.org`;
      const from = addressOf(id);
      const json = { email };
      let mail = null;
      for (let i = 0; mail === null && i < 3; i++) {
        await send("site", "/api/auth/request", { json, from });
        mail = await cluster.mail(({ to }) => to === email, 4_000);
      }
      mail ??= await cluster.mail(({ to }) => to === email, MAIL_WITHIN_MS);
      if (mail === null) return void done("visitor without a link");
      const path = /\/auth\/verify\?token=[\w-]{43}/.exec(mail.text)![0];
      const succeeds = ({ location }: Answer) => !location?.includes("error");
      const signedIn = await race("link", succeeds, "site", path, { from });
      if (signedIn === null) return;
      const cookie = signedIn.cookies;
      const statusesOf = async () =>
        (await Promise.all([0, 1, 2].map((to) => attempt("site", "/account", { cookie, to }))))
          .filter((answer) => answer !== null).map(({ status }) => status);
      if ((await statusesOf()).some((status) => status !== 200)) {
        tally.faults.push("a session was lost");
      }
      await send("site", "/api/auth/logout", { method: "POST", cookie, form: {} });
      if ((await statusesOf()).some((status) => status === 200)) {
        tally.faults.push("a session survived signing out");
      }
      done("visitor");
    },

    /** Connects an app, calls MCP with its token, refreshes and revokes it. */
    async agent(): Promise<void> {
      const from = addressOf(people++);
      const redirect = "https://app.test/callback";
      const mcp = "foundation-mcp";
      const metadata = {
        client_name: "An app",
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
      };
      const registered = await send(mcp, "/register", { json: metadata, from });
      const { client_id } = JSON.parse(registered.text);
      const query = new URLSearchParams({
        response_type: "code",
        client_id,
        redirect_uri: redirect,
        code_challenge: CHALLENGE,
        code_challenge_method: "S256",
        scope: "mcp offline_access",
      });
      const begun = await send(mcp, `/authorize?${query}`, { from });
      const request = new URL(begun.location!).searchParams.get("request")!;
      const approved = await attempt("trust", "/my-record/authorize", {
        form: { request, decision: "approve", without: "1" },
        from,
      });
      if (approved === null) return;
      const { pathname, search } = new URL(approved.location!);
      const returned = await race(
        "handoff",
        ({ status }) => status === 302,
        mcp,
        pathname + search,
        { cookie: begun.cookies, from },
      );
      if (returned === null) return;
      const code = new URL(returned.location!).searchParams.get("code")!;
      const form = {
        grant_type: "authorization_code",
        client_id,
        code,
        redirect_uri: redirect,
        code_verifier: VERIFIER,
      };
      const exchanged = await attempt(mcp, "/token", { form, from });
      if (exchanged === null) return;
      const tokens = JSON.parse(exchanged.text);
      const call = async (token: string) => {
        const headers = {
          authorization: `Bearer ${token}`,
          accept: "application/json, text/event-stream",
        };
        const json = { jsonrpc: "2.0", id: 1, method: "ping" };
        const answers = await Promise.all(
          [0, 1, 2].map((to) => attempt(mcp, "/mcp", { json, headers, from, to })),
        );
        return answers.filter((answer) => answer !== null).map(({ status }) => status);
      };
      if ((await call(tokens.access_token)).some((status) => status !== 200)) {
        tally.faults.push("a token was lost");
      }
      const refresh = {
        grant_type: "refresh_token",
        client_id,
        refresh_token: tokens.refresh_token,
      };
      const refreshed = await attempt(mcp, "/token", { form: refresh, from });
      if (refreshed === null) return;
      const next = JSON.parse(refreshed.text);
      const revocation = { token: next.refresh_token, client_id };
      await send(mcp, "/revoke", { form: revocation, from });
      await pause(10); // other processes may use what they read for 5 ms
      if ((await call(next.access_token)).some((status) => status !== 401)) {
        tally.faults.push("a token survived its revocation");
      }
      done("agent");
    },
  };
}

/** Returns a different network for each number. */
export const addressOf = (id: number): string => `10.${id >> 8 & 255}.${id & 255}.1`;
