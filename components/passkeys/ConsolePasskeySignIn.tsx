import { CONSOLE_SIGN_IN } from "./kinds.ts";
import { PasskeySignInButton } from "./PasskeySignInButton.tsx";

/** Signs operators in with a passkey, and then opens a page of the console. */
export const ConsolePasskeySignIn = ({ next }: { next: string }) => (
  <PasskeySignInButton kind={CONSOLE_SIGN_IN} next={next} />
);
