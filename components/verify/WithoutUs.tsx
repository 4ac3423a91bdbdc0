import CopyCode from "../../islands/CopyCode.tsx";

/** How to verify a chain without this page, whose word a reader need not take. */
export function WithoutUs(
  { verifyUrl, codeUrl, standardUrl }: {
    verifyUrl: string;
    codeUrl: string;
    standardUrl: string | null;
  },
) {
  return (
    <section class="without-us">
      <h2>Verify it without us</h2>
      <p>
        This page comes from the publisher whose chain it verifies. If you would rather not take its
        word, do the same with the command from{" "}
        <a href={codeUrl}>the code</a>, or with a program of your own{standardUrl === null
          ? "."
          : (
            <>
              : <a href={standardUrl}>the standard</a> says how, byte by byte.
            </>
          )}
      </p>
      <CopyCode label="In a terminal" code={`deno task verify "${verifyUrl}"`} />
      <p class="note">It verifies a saved chain as well: give the file in place of the address.</p>
    </section>
  );
}
