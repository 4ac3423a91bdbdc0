import { RECORD_PASSKEYS } from "./kinds.ts";
import { PasskeySignInButton } from "./PasskeySignInButton.tsx";

/** Signs holders in with a passkey. Then it opens `next`, by default the record. */
export const PasskeySignIn = ({ next }: { next?: string }) => (
  <PasskeySignInButton kind={RECORD_PASSKEYS} next={next} />
);
