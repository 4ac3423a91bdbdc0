/** The pages around the form for codes by SMS or call: signing in, and confirming a record's number. */
import type { Context } from "fresh";
import type { Channel, PendingCode, Purpose } from "../../lib/features/codes/mod.ts";
import { maskMobile } from "../../lib/features/contact/mod.ts";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { browserIdOf } from "../../lib/platform/http/browser_cookie.ts";
import type { Problem } from "../../lib/platform/http/errors.ts";
import { consentPath, requestTokenOf } from "../../lib/features/oauth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { SECOND_MS } from "../../lib/base/time.ts";
import { BackToRecord, type BesidePart, RecordFrame } from "../RecordFrame.tsx";
import { codeProblem, type CodeStart, progressOf } from "./client.ts";
import { CodeForm } from "./CodeForm.tsx";
import { NumberSection } from "./NumberSection.tsx";

/** A form that was posted without scripts and refused. */
export interface Refused {
  fields: Record<string, string>;
  problem?: Problem;
}

/** The redirects of holders who have to sign in first, or again. */
const REDIRECTS: Record<string, string> = {
  sign_in_again: "/my-record?again=number",
  unauthenticated: "/my-record",
};

/**
 * Responds with the page for signing in with a code, or for confirming a number, with the problem of
 * a refused form.
 */
export async function renderCodePage(
  ctx: Context<State>,
  { fields, problem }: Refused = { fields: {} },
): Promise<Response> {
  const redirect = problem && REDIRECTS[problem.code];
  if (redirect !== undefined) return ctx.redirect(redirect, 303);
  if (fields.purpose === "confirm_number") return await renderNumberPage(ctx, problem);
  const { services: { codes, clock } } = ctx.state;
  const { channels } = codes;
  const query = ctx.url.searchParams;
  const pending = await codes.pending("sign_in", browserIdOf(ctx.req));
  const asksNumber = pending === null || fields.mobile_number !== undefined ||
    query.has("change") ||
    query.has("method");
  const request = requestTokenOf(fields.request ?? query.get("request"));
  const start: CodeStart = {
    ...startOf("sign_in", asksNumber ? null : pending, channels, clock()),
    country: fields.mobile_country,
    number: fields.mobile_number?.slice(0, 40),
    problem: problem && codeProblem(problem),
    ...request === null ? {} : { request, next: consentPath(request) },
  };
  if (asksNumber) start.channel = channelOf(fields.method ?? query.get("method"));
  const page = <SignInCodePage start={start} />;
  return await ctx.render(page, problem);
}

/** Responds with the page for confirming the number of the open record. */
export async function renderNumberPage(
  ctx: Context<State>,
  problem?: Problem,
): Promise<Response> {
  const { services: { codes, clock }, holder } = ctx.state;
  const record = holder?.opened ?? null;
  if (record === null) return ctx.redirect("/my-record", 303);
  const browser = browserIdOf(ctx.req);
  const [pending, view, delivery] = await Promise.all([
    codes.pending("confirm_number", browser),
    codes.numberOf(record),
    codes.delivery(record.hash, browser),
  ]);
  const own = pending?.contactHash === record.hash ? pending : null;
  const progress = progressOf(delivery);
  if (wantsJson(ctx.req) && problem === undefined) {
    return Response.json(progress, { headers: { "cache-control": "no-store" } });
  }
  const undelivered = progress?.problem ? { text: progress.problem } : undefined;
  const start: CodeStart = {
    ...startOf("confirm_number", own, codes.channels, clock()),
    problem: problem === undefined ? undelivered : codeProblem(problem),
  };
  start.to ??= view.masked;
  const page = (
    <RecordFrame title="Your mobile number" beside={BESIDE_NUMBER}>
      <BackToRecord />
      <h1>Your mobile number</h1>
      <NumberSection view={view} form={<NumberForm start={start} />} />
    </RecordFrame>
  );
  return await ctx.render(page, problem);
}

/** The form that confirms the number, if this site sends codes. */
const NumberForm = ({ start }: { start: CodeStart }) =>
  start.channels.length === 0
    ? <p>This site does not send codes at the moment, so you cannot confirm the number now.</p>
    : <CodeForm start={start} />;

const BESIDE_NUMBER: readonly BesidePart[] = [
  {
    title: "What it is for",
    text: "A second way to sign in: we send a code to a number that you have confirmed.",
  },
  {
    title: "What is safer",
    text: (
      <p>
        Phone numbers can be taken over. A <a href="/my-record#passkeys">passkey</a> cannot.
      </p>
    ),
  },
  {
    title: "How to change it",
    text: (
      <p>
        The number is part of what you registered.{" "}
        <a href="/my-record/correct">Correct your contact data</a> to use another one.
      </p>
    ),
  },
];

const BESIDE_CODE: readonly BesidePart[] = [
  {
    title: "Which numbers work",
    text: "Numbers that the holder of a record has confirmed. No other number gets a code.",
  },
  {
    title: "What is safer",
    text: (
      <p>
        Phone numbers can be taken over. <a href="/my-record">A passkey or an emailed link</a>{" "}
        is safer.
      </p>
    ),
  },
];

const channelOf = (value: unknown): Channel => value === "voice" ? "voice" : "sms";

function startOf(
  purpose: Purpose,
  pending: PendingCode | null,
  channels: readonly Channel[],
  now: number,
): CodeStart {
  if (pending === null) {
    return { purpose, phase: "number", channel: "sms", channels, to: null, resendAfter: 0 };
  }
  const { number, channel, createdAt } = pending;
  const age = Math.floor((now - Date.parse(createdAt)) / SECOND_MS);
  const resendAfter = Math.max(0, 60 - age);
  return { purpose, phase: "code", channel, channels, to: maskMobile(number), resendAfter };
}

function SignInCodePage({ start }: { start: CodeStart }) {
  return (
    <RecordFrame title="Sign in with a code" beside={BESIDE_CODE}>
      <BackToRecord text="Other ways to sign in" href={start.next} />
      <h1>Sign in with a code</h1>
      {start.channels.length === 0
        ? (
          <p>
            This site does not send codes at the moment.{" "}
            <a href={start.next ?? "/my-record"}>Sign in with a passkey or an emailed link</a>.
          </p>
        )
        : <CodeForm start={start} />}
    </RecordFrame>
  );
}
