/** The way to an account: an outline for those who have none open here, filled for those who have. */
export function SignUpCircle({ signedIn }: { signedIn: boolean }) {
  return signedIn
    ? (
      <a class="sign-up active" href="/account">
        <strong>Account</strong>
        <span>signed in</span>
      </a>
    )
    : (
      <a class="sign-up" href="/auth">
        <strong>Sign up</strong>
        <span>with your email</span>
      </a>
    );
}
