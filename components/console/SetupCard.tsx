/** How to connect the bank, where no token is set (spec 4.2.2). */
export function SetupCard({ variables, message }: { variables: string[]; message: string }) {
  const [token, ...others] = variables;
  return (
    <section class="card setup" aria-labelledby="setup-title">
      <h2 id="setup-title">Connect the bank</h2>
      <p>{message}</p>
      <ol>
        <li>
          Sign in to the bank as an administrator of the organisation, and open the settings of its
          API tokens.
        </li>
        <li>
          Generate a token that may read accounts and transactions. Nothing is ever written through
          it.
        </li>
        <li>
          Set it as the token secret <code>{token}</code> of this site, its prefix included.
          {others.map((name) => (
            <>
              {" "}Set <code>{name}</code> to the address of the bank's API too.
            </>
          ))}
        </li>
        <li>Start the site again. Another token later shows another organisation by itself.</li>
      </ol>
    </section>
  );
}
