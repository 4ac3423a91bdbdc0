import { Head } from "fresh/runtime";

/** The page for an authorization request that cannot return to the app. */
export function AuthorizeError(
  { message, organisation }: { message: string; organisation: string },
) {
  return (
    <section class="prose">
      <Head>
        <title>The app cannot be connected</title>
        <meta name="robots" content="noindex" />
      </Head>
      <h1>The app cannot be connected</h1>
      <p class="lead">{message}</p>
      <p>
        To try again, go back to the app and connect it to {organisation}{" "}
        once more. If that does not help, remove the server from the app and add it again.
      </p>
      <p>If you did not start this yourself, close this page.</p>
    </section>
  );
}
