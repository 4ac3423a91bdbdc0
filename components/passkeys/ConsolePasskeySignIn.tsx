import { PasskeySignInButton } from "./PasskeySignInButton.tsx";
import { CONSOLE_SIGN_IN } from "./console_passkeys.ts";

/** Signs operators in with a passkey, and then opens a page of the console. */
export const ConsolePasskeySignIn = ({ next }: { next: string }) => (
  <PasskeySignInButton kind={CONSOLE_SIGN_IN} next={next} />
);
