import { Head } from "fresh/runtime";

/** The page for an authorization request that cannot return to the app. */
export function AuthorizeError({ message, serverName }: { message: string; serverName: string }) {
  return (
    <section class="prose">
      <Head>
        <title>The app cannot be connected</title>
        <meta name="robots" content="noindex" />
      </Head>
      <h1>The app cannot be connected</h1>
      <p class="lead">{message}</p>
      <p>
        Nothing was shared with the app. Go back to it and connect to {serverName}{" "}
        again. If that does not help, remove the server from the app and add it again.
      </p>
      <p>
        If you did not start this yourself, close this page.
      </p>
    </section>
  );
}
