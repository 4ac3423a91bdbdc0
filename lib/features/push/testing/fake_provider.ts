import type { PushMessage, PushOutcome, PushProvider, PushTarget } from "../provider.ts";

/** A push service in memory. */
export interface FakePush extends PushProvider {
  /** The accepted messages, in order. */
  sent: { target: PushTarget; message: PushMessage }[];
  /** Decides about a message before it is accepted; accepts everything by default. */
  answer: (target: PushTarget, message: PushMessage) => PushOutcome | Promise<PushOutcome>;
}

/** Creates a push service in memory, for any platform. */
export function fakePush(): FakePush {
  const fake: FakePush = {
    sent: [],
    answer: () => ({ ok: true }),
    async send(target, message) {
      const outcome = await fake.answer(target, message);
      if (outcome.ok) fake.sent.push({ target, message });
      return outcome;
    },
  };
  return fake;
}
