import { type SignInProblem, wordsOf } from "../../lib/sign_in/words.ts";

/**
 * Asks the site to mail a link.
 *
 * @returns what is wrong, or undefined where the mail is on its way
 */
export async function askForLink(
  email: string,
  next: string | null,
): Promise<SignInProblem | undefined> {
  try {
    const response = await fetch("/api/auth/request", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, next }),
    });
    return response.ok ? undefined : wordsOf(await response.json());
  } catch {
    return { text: "The site could not be reached. Check your connection and try again." };
  }
}
