import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { DevOutboxMail } from "../lib/platform/mail/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { type Action, MAILBOX, thiefSite } from "./thief_site.ts";

type World = Awaited<ReturnType<typeof thiefSite>>;
type ActorName = "thief" | "administrator" | "holder" | "time";
/** An action, and which of several objects it uses. */
type Step = [action: string, n: number];

/** Play more sequences, or others, with `RECORD_THEFT_RUNS` and `RECORD_THEFT_SEED`. */
const RUNS = Number(Deno.env.get("RECORD_THEFT_RUNS") ?? 32);
const SEED = Number(Deno.env.get("RECORD_THEFT_SEED") ?? 27);
const MOST_STEPS = 16;

/** The actions with their weights. */
const ACTIONS: Record<ActorName, Record<string, number>> = {
  thief: {
    steal: 4,
    addPasskey: 2,
    signInByPasskey: 2,
    removePasskey: 1,
    correctName: 3,
    correctEmail: 3,
    correctNumber: 3,
    withdraw: 1,
    openCorrection: 2,
    confirmEmail: 4,
    confirmNumber: 3,
    signInByCode: 2,
    signInByLink: 2,
    createKey: 1,
    replaceKey: 2,
    revokeKey: 1,
    declare: 1,
    download: 1,
    approve: 2,
    openDocument: 2,
    share: 2,
    openShare: 2,
    connectApp: 1,
    addDevice: 1,
    rejectNumber: 1,
    delete: 3,
    keepRecord: 1,
    useNotice: 2,
    useRecovery: 2,
    park: 2,
    choose: 1,
  },
  administrator: { startRecovery: 4, deleteOnRequest: 3 },
  holder: { correctName: 1, correctNumber: 1, replaceKey: 1 },
  time: { minute: 2, hour: 2, day: 3, days: 4 },
};

/** Returns the steps of a sequence; each is the name of an action, with its object unless that is 0. */
const sequence = (...actions: string[]): Step[] =>
  actions.map((action) => {
    const [, name, n = "0"] = /^([\w.]+)(?:\((\d+)\))?$/.exec(action)!;
    return [name, Number(n)];
  });

/** Sequences that have defeated an earlier version. They are played first, in both orders of undoing. */
const KNOWN: Step[][] = [
  sequence("thief.correctNumber", "thief.openCorrection", "thief.delete(1)", "time.days"),
  sequence("thief.correctNumber", "thief.openCorrection", "thief.addPasskey", "thief.withdraw"),
  sequence("administrator.startRecovery", "thief.correctName", "thief.correctName"),
  sequence("thief.correctEmail", "thief.confirmEmail", "time.minute", "thief.replaceKey"),
  sequence("time.hour", "thief.approve", "thief.openDocument"),
  sequence("thief.correctName", "thief.correctNumber", "thief.delete"),
  sequence("thief.correctName", "thief.correctNumber"),
  sequence("thief.delete", "time.days"),
  sequence("thief.correctEmail", "thief.confirmEmail", "administrator.deleteOnRequest"),
  sequence("thief.correctEmail", "thief.confirmEmail", "thief.delete", "thief.useNotice(1)"),
  sequence("thief.declare", "holder.correctName"),
  sequence("thief.park", "thief.park(1)", "thief.park(2)", "thief.declare"),
  sequence("thief.park(3)", "thief.declare"),
  sequence("thief.share", "thief.openShare", "time.hour", "thief.park(10)", "thief.declare"),
  sequence("thief.correctEmail", "thief.confirmEmail", "thief.share", "thief.openShare"),
];

const weighted = Object.entries(ACTIONS).flatMap(([actor, actions]) =>
  Object.entries(actions).map(([action, weight]) => ({
    weight,
    arbitrary: fc.constant(`${actor}.${action}`),
  }))
);
const sequences: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(fc.oneof(...weighted), fc.nat(11)),
  { minLength: 1, maxLength: MOST_STEPS, size: "max" },
);
/** The order in which the holder uses the links of the notices, by keys that sort them. */
const orders = fc.array(fc.nat(), { minLength: 40, maxLength: 40 });
const NEWEST_FIRST = Array.from({ length: 40 }, (_, i) => i);
const OLDEST_FIRST = NEWEST_FIRST.toReversed();

/** The thief's actions that must be mailed to the address in force, if they succeed. */
const SENSITIVE = new Set([
  "addPasskey",
  "removePasskey",
  "correctName",
  "correctEmail",
  "correctNumber",
  "confirmNumber",
  "createKey",
  "replaceKey",
  "revokeKey",
  "declare",
  "approve",
  "share",
  "connectApp",
  "addDevice",
  "delete",
  "keepRecord",
]);

/** Plays one step, and returns what happened. */
async function play(site: World, [step, n]: Step): Promise<string> {
  const [actor, name] = step.split(".") as [ActorName, string];
  const act = (site[actor] as Record<string, Action>)[name];
  const before = (await site.noticesToHolder()).length;
  const isOwn = (await site.current()).contact.value.record.email === MAILBOX;
  const done = await act(n);
  const mailed = (await site.noticesToHolder()).length - before;
  const played = `${step}(${n})${done ? "" : " (refused)"}`;
  if (actor === "thief" && done && isOwn && SENSITIVE.has(name)) {
    assert(mailed > 0, `${played} was not mailed to the holder`);
  }
  return played;
}

/** Plays a sequence, lets the holder undo it, and tries everything that the thief has. */
async function playAndUndo(sequence: Step[], order: number[]): Promise<void> {
  await using site = await thiefSite();
  const played: string[] = [];
  try {
    for (const step of sequence) played.push(await play(site, step));
    const sort = (mails: DevOutboxMail[]) =>
      mails.map((mail, i) => [order[i] ?? i, mail] as const)
        .sort(([a], [b]) => a - b)
        .map(([, mail]) => mail);
    const notices = await site.undoEverything(sort);
    await site.assertRecordIsSafe();
    if (notices === 0) return; // there is nothing to undo
    await site.assertNothingOfTheThiefWorks();
    for (let i = 0; i < 3; i++) await site.wait(4 * DAY_MS);
    await site.assertRecordIsSafe();
    await site.assertNothingOfTheThiefWorks();
  } catch (cause) {
    throw new Error(`After ${played.join(", ")}: ${(cause as Error).message}`, { cause });
  }
}

Deno.test("the holder's mailbox can undo whatever a thief does with a stolen session for seven days", async () => {
  await fc.assert(fc.asyncProperty(sequences, orders, playAndUndo), {
    seed: SEED,
    numRuns: RUNS,
    endOnFailure: Deno.env.has("RECORD_THEFT_FAST"),
    examples: KNOWN.flatMap((known) => [[known, NEWEST_FIRST], [known, OLDEST_FIRST]]),
  });
});

Deno.test("the actions of the thief succeed unless something forbids them", async () => {
  await using site = await thiefSite();
  const names = [
    "addPasskey",
    "signInByPasskey",
    "replaceKey",
    "declare",
    "download",
    "approve",
    "openDocument",
    "share",
    "openShare",
    "connectApp",
    "addDevice",
    "correctEmail",
    "confirmEmail",
    "signInByLink",
    "correctNumber",
    "openCorrection",
    "confirmNumber",
    "signInByCode",
    "park",
    "delete",
  ] as const;
  const done: Record<string, boolean> = {};
  for (const name of names) done[name] = await (site.thief[name] as Action)(0);
  assertEquals(done, Object.fromEntries(names.map((name) => [name, true])));
  const known = Object.fromEntries(
    Object.keys(ACTIONS).map((actor) => [actor, Object.keys(site[actor as ActorName])]),
  );
  const listed = Object.entries(ACTIONS).map(([actor, actions]) => [actor, Object.keys(actions)]);
  assertEquals(known, Object.fromEntries(listed), "every action is played");
});
