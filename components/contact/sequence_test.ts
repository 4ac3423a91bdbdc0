import { assert, assertEquals } from "@std/assert";
import { effect } from "@preact/signals";
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { browserClock, type Clock, createSequence, type EventSource } from "./run_sequence.ts";
import {
  beginWatching,
  completeText,
  isClosable,
  isWatching,
  type Plan,
  type Sequence,
  watchAgain,
} from "./sequence.ts";
import {
  type ChainClient,
  ChainRewritten,
  type StreamEnd,
  type StreamListener,
} from "./chain_client.ts";
import { FULL_PACE, progress, REDUCED_PACE } from "./typing.ts";

/** A clock that the test controls. `calls` are the pending timers. */
class FakeClock implements Clock {
  time = 1_000;
  hidden = false;
  calls = new Map<() => void, number>();
  listeners = new Set<() => void>();
  now = () => this.time;
  isHidden = () => this.hidden;
  at(time: number, run: () => void) {
    this.calls.set(run, time);
    return () => this.calls.delete(run);
  }
  onVisibility(run: () => void) {
    this.listeners.add(run);
    return () => this.listeners.delete(run);
  }
  /** Advances the time and runs the timers that are due, in order. */
  async pass(ms: number) {
    const until = this.time + ms;
    for (;;) {
      await settled();
      const next = [...this.calls].sort(([, a], [, b]) => a - b).find(([, time]) => time <= until);
      if (next === undefined) break;
      const [run, time] = next;
      this.calls.delete(run);
      this.time = Math.max(this.time, time);
      run();
    }
    this.time = until;
  }
  async show(visible: boolean) {
    this.hidden = !visible;
    for (const run of [...this.listeners]) run();
    await settled();
  }
}

async function settled() {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

const event = (seq: number): LinkedEvent => ({
  seq,
  kind: seq === 0 ? "hash_generated" : "record_verified",
  at: "2026-03-01T09:30:00.000Z",
  status: "ok",
  prev: "",
  hash: "",
});
const events = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => event(from + i));

const LINES = [10, 0, 5];
const ENDING = CONFIG.COPY.MESSAGE_ENDS.length;
const ROW = 40;
const ROW_TIME = ROW * 20 + 400;

function start(
  {
    first = events(0, 7),
    pace = FULL_PACE,
    begin,
    poll = (_: number) => Promise.resolve([]),
    source,
  }: {
    first?: LinkedEvent[];
    pace?: Plan["pace"];
    begin?: (plan: Plan, now: number) => Sequence;
    poll?: (after: number) => Promise<LinkedEvent[]>;
    source?: Partial<EventSource>;
  } = {},
) {
  const clock = new FakeClock();
  const entered: [string, number][] = [];
  const polled: number[] = [];
  const sequence = createSequence({
    plan: { pace, lines: LINES, ending: ENDING, events: first, lengthOf: () => ROW },
    start: begin,
    clock,
    source: {
      after(last) {
        polled.push(clock.time - 1_000);
        return poll(last.seq);
      },
      ...source,
    },
  });
  let phase: string | undefined;
  const changes = { state: -1, chars: -1 };
  effect(() => {
    const state = sequence.state.value;
    changes.state++;
    if (state.phase !== phase) entered.push([phase = state.phase, state.since - 1_000]);
  });
  effect(() => {
    sequence.chars.value;
    changes.chars++;
  });
  const run = { stop: sequence.run(), change: sequence.change };
  return {
    clock,
    run,
    entered,
    polled,
    state: () => sequence.state.value,
    line: () => sequence.line.value,
    chars: () => sequence.chars.value,
    changes,
  };
}

const TELETYPE = 15 * 20 + 3 * 400;
const ENDS = 12 * 20 + 400;
const TIMES: [string, number][] = [
  ["standby", 0],
  ["fade", 3_000],
  ["teletype", 4_200],
  ["ends", 4_200 + TELETYPE],
  ["feed", 4_200 + TELETYPE + ENDS],
  ["watch", 4_200 + TELETYPE + ENDS + 5 * ROW_TIME],
];
const WATCH = TIMES[5][1];

Deno.test("the constants match the specification", () => {
  const { STEP_DELAY, STANDBY_HOLD, FADE_TO_BLACK, CHAR_SPEED } = CONFIG;
  assertEquals([STEP_DELAY, STANDBY_HOLD, FADE_TO_BLACK, CHAR_SPEED], [400, 3000, 1200, 20]);
  const { POLL_INTERVAL, POLL_TIMEOUT, CHAIN_PREVIEW_COUNT } = CONFIG;
  assertEquals([POLL_INTERVAL, POLL_TIMEOUT, CHAIN_PREVIEW_COUNT], [5000, 600000, 5]);
  assertEquals(CONFIG.DIAL_CODES.length, 18);
  assertEquals(CONFIG.DIAL_CODES[0].country, "AU");
  assertEquals([...CONFIG.ENQUIRY_TYPES], [
    "Investor",
    "Enterprise Partner",
    "Technical",
    "Other",
  ]);
  const { STAND_BY, MESSAGE_ENDS, HINT } = CONFIG.COPY;
  assertEquals([STAND_BY, MESSAGE_ENDS, HINT], [
    "STAND BY",
    "MESSAGE ENDS",
    "scroll for full history",
  ]);
});

Deno.test("each phase starts on time, in the specified order", async () => {
  const { clock, entered, run } = start();
  await clock.pass(60_000);
  assertEquals(entered, TIMES);
  run.stop();
});

Deno.test("no phase starts a millisecond early", async () => {
  for (const [i, [phase, time]] of TIMES.slice(1).entries()) {
    const { clock, state, run } = start();
    await clock.pass(time - 1);
    assertEquals(state().phase, TIMES[i][0]);
    await clock.pass(1);
    assertEquals(state().phase, phase);
    run.stop();
  }
});

Deno.test("progress() types a character every 20 ms, with a step of 400 ms after each line", () => {
  const at = (elapsed: number) => progress(LINES, elapsed, FULL_PACE);
  assertEquals(at(0), { line: 0, chars: 0 });
  assertEquals(at(19), { line: 0, chars: 0 });
  assertEquals(at(20), { line: 0, chars: 1 });
  assertEquals(at(199), { line: 0, chars: 9 });
  assertEquals(at(200), { line: 0, chars: 10 });
  assertEquals(at(599), { line: 0, chars: 10 });
  assertEquals(at(600), { line: 1, chars: 0 }); // the QR code appears at once
  assertEquals(at(999), { line: 1, chars: 0 });
  assertEquals(at(1_000), { line: 2, chars: 0 });
  assertEquals(at(1_100), { line: 2, chars: 5 });
  assertEquals(at(TELETYPE), { line: 3, chars: 0 });
});

Deno.test("a character changes the count of typed characters, and the state only changes with the phase", async () => {
  const { clock, run, changes } = start();
  await clock.pass(4_200);
  const before = { ...changes };
  await clock.pass(TELETYPE - 1);
  // Of the three lines, the QR code has no characters, and each of the others begins with none.
  assertEquals([changes.state - before.state, changes.chars - before.chars], [0, 15 + 1]);
  await clock.pass(1);
  assertEquals(changes.state - before.state, 1);
  run.stop();
});

Deno.test("completeText() completes the teletype's text at once, changes no other time and closes nothing", async () => {
  const { clock, state, entered, run, line, chars } = start();
  for (const [at, phase] of [[1_000, "standby"], [2_500, "fade"]] as const) {
    await clock.pass(at);
    run.change(completeText);
    assertEquals(entered.at(-1)![0], phase);
  }
  await clock.pass(TIMES[2][1] - 3_500 + 300); // within the first line
  run.change(completeText);
  assertEquals([line(), chars()], [LINES.length - 1, LINES.at(-1)]);
  await clock.pass(100);
  run.change(completeText);
  assertEquals(isClosable(state()), false);
  await clock.pass(60_000);
  const saved = TELETYPE - 300 - 400;
  assertEquals(entered, TIMES.map(([phase, at], i) => [phase, i < 3 ? at : at - saved]));
  assertEquals([state().phase, isClosable(state())], ["watch", true]);
  run.stop();
});

Deno.test("the feed types the latest five events, newest last", async () => {
  const { clock, state, run } = start({ first: events(3, 7) });
  await clock.pass(TIMES[4][1]);
  assertEquals(state().rows.map(({ seq }) => seq), [5, 6, 7, 8, 9]);
  assertEquals(state().typed, 0);
  await clock.pass(ROW_TIME - 1);
  assertEquals(state().typed, 0);
  await clock.pass(1);
  assertEquals(state().typed, 1);
  run.stop();
});

Deno.test("the sequence can be closed only once the feed is typed", async () => {
  const { clock, state, run } = start();
  await clock.pass(WATCH - 1);
  assertEquals(isClosable(state()), false);
  await clock.pass(1);
  assert(isClosable(state()));
  run.stop();
});

Deno.test("a chain of one event reaches the watch phase", async () => {
  const { clock, entered, run } = start({ first: events(0, 1) });
  await clock.pass(60_000);
  assertEquals(entered[5], ["watch", TIMES[4][1] + ROW_TIME]);
  run.stop();
});

Deno.test("the chain is polled every 5 s for 10 minutes", async () => {
  const { clock, polled, state, run } = start();
  await clock.pass(WATCH + 600_000);
  assertEquals(polled, Array.from({ length: 120 }, (_, i) => WATCH + 5_000 * (i + 1)));
  assertEquals(isWatching(state()), false);
  assertEquals(clock.calls.size, 0, "no timer is left");
  await clock.pass(600_000);
  assertEquals(polled.length, 120);
  run.stop();
});

Deno.test("only one poll is in flight at a time", async () => {
  const gate = Promise.withResolvers<LinkedEvent[]>();
  const { clock, polled, run } = start({ poll: () => gate.promise });
  await clock.pass(WATCH + 20_000);
  assertEquals(polled, [WATCH + 5_000]);
  gate.resolve([]);
  await clock.pass(0);
  assertEquals(polled, [WATCH + 5_000, WATCH + 20_000]);
  run.stop();
});

Deno.test("a failed poll is retried after the usual interval", async () => {
  const { clock, polled, state, run } = start({ poll: () => Promise.reject(new Error("gone")) });
  await clock.pass(WATCH + 10_000);
  assertEquals(polled, [WATCH + 5_000, WATCH + 10_000]);
  assert(isWatching(state()), "a missing chain looks like any other");
  run.stop();
});

Deno.test("new events are typed at the bottom, one after the other, once each", async () => {
  const responses = [events(7, 2), events(8, 2), []];
  const asked: number[] = [];
  const { clock, state, run } = start({
    poll(after) {
      asked.push(after);
      return Promise.resolve(responses.shift() ?? []);
    },
  });
  await clock.pass(WATCH + 5_000);
  assertEquals(state().rows.map(({ seq }) => seq), [2, 3, 4, 5, 6, 7, 8]);
  assertEquals(state().typed, 5);
  await clock.pass(ROW_TIME);
  assertEquals(state().typed, 6);
  await clock.pass(ROW_TIME);
  assertEquals(state().typed, 7);
  await clock.pass(5_000);
  assertEquals(state().rows.map(({ seq }) => seq), [2, 3, 4, 5, 6, 7, 8, 9]);
  assertEquals(asked, [6, 8]);
  run.stop();
});

Deno.test("after many new events at once, only the last five are typed", async () => {
  const { clock, state, run } = start({
    poll: (after) => Promise.resolve(after === 6 ? events(7, 90) : []),
  });
  await clock.pass(WATCH + 5_000);
  assertEquals(state().rows.length, 95);
  assertEquals(state().typed, 90);
  await clock.pass(5 * ROW_TIME);
  assertEquals(state().typed, 95);
  run.stop();
});

Deno.test("a hidden tab has no timers, and catches up when it is shown", async () => {
  const { clock, state, changes, run } = start();
  await clock.pass(4_500);
  await clock.show(false);
  assertEquals(clock.calls.size, 0);
  const before = { ...changes };
  await clock.pass(WATCH - 4_500 + 1_000);
  assertEquals(clock.calls.size, 0);
  assertEquals(changes, before);
  await clock.show(true);
  assertEquals(state().phase, "watch");
  assertEquals(state().since - 1_000, WATCH, "as if it had always been visible");
  assertEquals(clock.calls.size, 1);
  run.stop();
});

Deno.test("a hidden tab does not poll, and polls once when it is shown", async () => {
  const { clock, polled, run } = start();
  await clock.pass(WATCH + 7_000);
  await clock.show(false);
  await clock.pass(180_000);
  assertEquals(polled.length, 1);
  await clock.show(true);
  assertEquals(polled.slice(1), [WATCH + 187_000]);
  await clock.pass(5_000);
  assertEquals(polled.slice(2), [WATCH + 192_000]);
  run.stop();
});

Deno.test("a tab that was hidden for more than ten minutes polls once more", async () => {
  const { clock, polled, state, run } = start();
  await clock.pass(WATCH + 7_000);
  await clock.show(false);
  await clock.pass(3_600_000);
  await clock.show(true);
  assertEquals(polled.slice(1), [WATCH + 3_607_000]);
  await clock.pass(60_000);
  assertEquals(polled.length, 2);
  assertEquals(isWatching(state()), false);
  run.stop();
});

Deno.test("with reduced motion the phases are the same, without fade or typing", async () => {
  const { clock, entered, state, run } = start({ pace: REDUCED_PACE });
  await clock.pass(2_999);
  assertEquals(state().phase, "standby");
  await clock.pass(1);
  assertEquals(entered, TIMES.map(([phase], i) => [phase, i === 0 ? 0 : 3_000]));
  assertEquals(state().typed, 5);
  run.stop();
});

Deno.test("browserClock rounds delays up to whole milliseconds", () => {
  const { setTimeout } = globalThis;
  const delays: number[] = [];
  globalThis.setTimeout = ((_: () => void, delay: number) => delays.push(delay)) as never;
  try {
    browserClock.at(performance.now() + 19.37, () => {});
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assert(delays.length === 1 && Number.isInteger(delays[0]), `${delays}`);
});

Deno.test("a stopped sequence has no timer and no listener, and no longer changes", async () => {
  const gate = Promise.withResolvers<LinkedEvent[]>();
  const { clock, changes, run } = start({ poll: () => gate.promise });
  await clock.pass(WATCH + 5_000);
  run.stop();
  const before = { ...changes };
  gate.resolve(events(7, 1));
  await clock.pass(60_000);
  assertEquals([clock.calls.size, clock.listeners.size, changes], [0, 0, before]);
});

Deno.test("events that are already on the page are not typed, and new ones are", async () => {
  const { clock, run, polled, state } = start({
    first: events(0, 5),
    begin: beginWatching,
    poll: (after) => Promise.resolve(after === 4 ? events(5, 1) : []),
  });
  assertEquals([state().phase, state().typed, isWatching(state())], ["watch", 5, true]);
  assertEquals(polled, [0], "it asks at once, because events may have been added since");
  await clock.pass(ROW_TIME - 1);
  assertEquals([state().rows.length, state().typed], [6, 5]);
  await clock.pass(1);
  assertEquals(state().typed, 6);
  run.stop();
});

Deno.test("a feed that no longer watches can watch again, for as long as before", async () => {
  const { clock, run, polled, state } = start({ first: events(0, 1), begin: beginWatching });
  await clock.pass(CONFIG.POLL_TIMEOUT + CONFIG.POLL_INTERVAL);
  assertEquals(isWatching(state()), false);
  const before = polled.length;
  run.change(watchAgain);
  assertEquals([isWatching(state()), polled.length], [true, before + 1]);
  await clock.pass(CONFIG.POLL_TIMEOUT / 2);
  run.change(watchAgain);
  await clock.pass(CONFIG.POLL_TIMEOUT - 1);
  assertEquals(isWatching(state()), true);
  await clock.pass(CONFIG.POLL_INTERVAL);
  assertEquals(isWatching(state()), false);
  run.stop();
});

/** A stream that the test controls. */
class FakeStream {
  opened: {
    last: LinkedEvent;
    listener: StreamListener;
    end: (end: StreamEnd) => void;
    fail: (error: Error) => void;
  }[] = [];
  stream: ChainClient["stream"] = (last, listener) => {
    const { promise, resolve: end, reject: fail } = Promise.withResolvers<StreamEnd>();
    this.opened.push({ last, listener, end, fail });
    return promise;
  };
  get open() {
    return this.opened.filter(({ listener }) => !listener.signal.aborted).length;
  }
}

function startStreaming(first: LinkedEvent[] = events(0, 3), source: Partial<EventSource> = {}) {
  const fake = new FakeStream();
  const started = start({
    first,
    begin: beginWatching,
    source: { stream: fake.stream, ...source },
  });
  return { fake, ...started };
}

Deno.test("an open stream replaces polling, and its events are typed", async () => {
  const { fake, clock, run, polled, state } = startStreaming();
  const [{ last, listener }] = fake.opened;
  assertEquals(
    [last.seq, polled.length],
    [2, 0],
    "the stream begins with what a poll would return",
  );
  listener.onOpen();
  await clock.pass(60_000);
  assertEquals([polled.length, isWatching(state()), clock.calls.size], [0, true, 1]);
  listener.onEvents(events(3, 2));
  assertEquals([state().rows.length, state().typed], [5, 3]);
  await clock.pass(2 * ROW_TIME);
  assertEquals([state().typed, polled.length, fake.opened.length], [5, 0, 1]);
  run.stop();
  assertEquals(fake.open, 0);
});

Deno.test("the sequence opens its stream once the feed is typed", async () => {
  const fake = new FakeStream();
  const { clock, run } = start({ source: { stream: fake.stream } });
  await clock.pass(WATCH - 1);
  assertEquals(fake.opened.length, 0);
  await clock.pass(1);
  assertEquals(fake.opened.length, 1);
  run.stop();
});

Deno.test("while a stream is being opened, the chain is polled from the first interval on", async () => {
  const { fake, clock, run, polled } = startStreaming();
  await clock.pass(11_000);
  assertEquals([polled, fake.opened.length], [[5_000, 10_000], 1]);
  run.stop();
});

Deno.test("a stream that is refused is replaced by polling, and opened again after a minute", async () => {
  const { fake, clock, run, polled } = startStreaming();
  await clock.pass(1_000);
  fake.opened[0].end("refused");
  await clock.pass(59_999);
  assertEquals(polled, Array.from({ length: 12 }, (_, i) => 1_000 + 5_000 * i));
  assertEquals(fake.opened.length, 1);
  await clock.pass(5_000);
  assertEquals(fake.opened.length, 2);
  run.stop();
});

Deno.test("a server without streams is only polled", async () => {
  const { fake, clock, run, polled } = startStreaming();
  fake.opened[0].end("off");
  await clock.pass(300_000);
  assertEquals([fake.opened.length, polled.length], [1, 61]);
  run.stop();
});

for (const how of ["ends", "fails"]) {
  Deno.test(`a stream that ${how} after it was open is followed by a poll and another stream`, async () => {
    const { fake, clock, run, polled } = startStreaming();
    fake.opened[0].listener.onOpen();
    await clock.pass(300_000);
    if (how === "ends") fake.opened[0].end("ended");
    else fake.opened[0].fail(new TypeError("disconnected"));
    await clock.pass(5_000);
    assertEquals([polled, fake.opened.length], [[300_000], 2]);
    fake.opened[1].listener.onOpen();
    await clock.pass(60_000);
    assertEquals(polled.length, 1);
    run.stop();
  });
}

Deno.test("a hidden tab has no stream, and opens one when it is shown", async () => {
  const { fake, clock, run, polled, state } = startStreaming();
  fake.opened[0].listener.onOpen();
  await clock.show(false);
  assertEquals([fake.open, clock.calls.size], [0, 0]);
  fake.opened[0].listener.onEvents(events(3, 1));
  fake.opened[0].end("ended");
  await clock.pass(60_000);
  assertEquals([state().rows.length, fake.opened.length], [3, 1], "the old stream is ignored");
  await clock.show(true);
  assertEquals([fake.opened.length, fake.open, polled.length], [2, 1, 0]);
  run.stop();
});

Deno.test("a stream is closed after ten minutes, and opened again by watchAgain", async () => {
  const { fake, clock, run, polled, state } = startStreaming();
  fake.opened[0].listener.onOpen();
  await clock.pass(CONFIG.POLL_TIMEOUT - 1);
  assertEquals([fake.open, isWatching(state())], [1, true]);
  await clock.pass(1);
  assertEquals([fake.open, isWatching(state()), clock.calls.size], [0, false, 0]);
  run.change(watchAgain);
  assertEquals([fake.open, isWatching(state()), polled.length], [1, true, 0]);
  run.stop();
});

for (const by of ["stream", "poll"]) {
  Deno.test(`after a ${by} found a rewritten chain, the feed starts over with its newest events`, async () => {
    const current = events(40, 5);
    const { fake, clock, run, state } = startStreaming(events(0, 3), {
      after: () => Promise.reject(new ChainRewritten()),
      newest: () => Promise.resolve(current),
    });
    if (by === "stream") fake.opened[0].fail(new ChainRewritten());
    await clock.pass(by === "stream" ? 0 : 5_000);
    assertEquals([state().rows, state().restarts > 0, state().typed], [current, true, 0]);
    assert(isWatching(state()));
    run.stop();
  });
}

Deno.test("if the rewritten chain cannot be read, the feed keeps its events and tries again", async () => {
  let readable = false;
  const { clock, run, state } = startStreaming(events(0, 3), {
    stream: undefined,
    after: () => Promise.reject(new ChainRewritten()),
    newest: () => readable ? Promise.resolve(events(7, 1)) : Promise.reject(new Error("gone")),
  });
  await clock.pass(10_000);
  assertEquals([state().rows.length, state().restarts], [3, 0]);
  readable = true;
  await clock.pass(5_000);
  assertEquals(state().rows.map(({ seq }) => seq), [7]);
  run.stop();
});
