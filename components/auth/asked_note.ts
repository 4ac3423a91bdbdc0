import { formatClock } from "../../lib/base/time.ts";
import { askedIn, type AskedRequest } from "../../lib/features/auth/mod.ts";

/**
 * Returns what a sign-in page says about the browser's last request for a link, if no mail was prepared for it.
 * It is the same for every address.
 *
 * @param read reads what became of a request
 */
export async function askedNote(
  request: Request,
  read: (id: string) => Promise<AskedRequest | null>,
): Promise<string | undefined> {
  const id = askedIn(request);
  const asked = id === null ? null : await read(id);
  if (asked === null) return undefined;
  const at = `You asked for a link at ${formatClock(asked.at)}.`;
  return asked.state === "waits"
    ? `${at} The email is late, because this site had a problem. It is still on its way, so you need not ask again.`
    : `${at} No email was sent, because this site had a problem. Enter your email address to get a link now.`;
}
