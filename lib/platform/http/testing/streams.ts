/** Helpers for tests of event streams: a reader of messages and a timer under the test's control. */
import type { Schedule } from "../../../base/schedule.ts";
import { until } from "../../../testing/until.ts";

/** A message of an event stream; a comment has only `comment`. */
interface StreamMessage {
  id?: string;
  event?: string;
  // deno-lint-ignore no-explicit-any -- tests read any member
  data?: any;
  retry?: string;
  comment?: string;
}

/** Reads the messages of an event stream. `next` returns null at its end. */
export function readStream(response: Response): {
  next(): Promise<StreamMessage | null>;
  cancel(): Promise<void>;
} {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async next() {
      while (!text.includes("\n\n")) {
        const { done, value } = await reader.read();
        if (done) return null;
        text += value;
      }
      const end = text.indexOf("\n\n");
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const message: StreamMessage = {};
      for (const line of block.split("\n")) {
        const [, name, value] = /^([^:]*): ?(.*)$/.exec(line)!;
        if (name === "") message.comment = value;
        else message[name as "id"] = value;
      }
      if (message.data !== undefined) message.data = JSON.parse(message.data);
      return message;
    },
    cancel: () => reader.cancel(),
  };
}

export class FakeTimer {
  #planned: (() => void) | null = null;

  readonly schedule: Schedule = (run) => {
    this.#planned = run;
    return () => {
      if (this.#planned === run) this.#planned = null;
    };
  };

  get isPlanned(): boolean {
    return this.#planned !== null;
  }

  /** Fires and waits until the timer is set again, or `isOver`. */
  async fire(isOver: () => boolean): Promise<void> {
    const run = this.#planned;
    this.#planned = null;
    run?.();
    await until(() => this.#planned !== null || isOver(), "the timer is set again");
    await nextTask();
  }
}

/** Resolves after all promises that were ready have run their callbacks. */
export const nextTask = () => new Promise((resolve) => setTimeout(resolve));
