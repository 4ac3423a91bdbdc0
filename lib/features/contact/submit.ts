import type { KeyedQueue } from "../../platform/kv/mod.ts";
import { type ConfirmationMailOptions, mailsOf } from "./confirmation_mails.ts";
import { register, type RegisterOptions, type RegisterResult, type Sender } from "./register.ts";
import type { Submission } from "./submission.ts";
import type { ContactUrls } from "./urls.ts";

interface SubmitOptions extends Omit<RegisterOptions, "addMails">, ConfirmationMailOptions {
  /**
   * Runs the requests with one idempotency key one after another. The second one waits for the first one and
   * returns its record, without using the challenge response again. This only saves work: the store's checks
   * ensure correctness.
   */
  enqueue: KeyedQueue;
}

/** Registers a submission, and mails a confirmation link to the sender. */
export async function submit(
  options: SubmitOptions,
  submission: Submission,
  sender: Sender,
  urls: ContactUrls,
): Promise<RegisterResult> {
  const addMails = mailsOf(options, submission.enquiry, sender.organisation, urls);
  const step = () => register({ ...options, addMails }, submission, sender);
  const { idempotencyKey: key } = sender;
  const result = await (key === undefined ? step() : options.enqueue(key, step));
  if (result.ok) options.mailer.send(result.mails);
  return result;
}
