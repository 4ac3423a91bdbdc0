import { asset, Head } from "fresh/runtime";
import { packageName } from "../../lib/qualifications/choices.ts";
import type { Qualification } from "../../lib/qualifications/mod.ts";
import type { State } from "../../lib/state.ts";

/** What a qualification's page tells those who share and index it. */
export function QualificationHead(
  { state, qualification }: { state: State; qualification: Qualification },
) {
  const { code, title, aqf_level, status, superseded_by } = qualification;
  const { baseUrl } = state.surface;
  const whole = `${code} ${title}`;
  const address = `${baseUrl}/qualifications/${code}`;
  const description = `${whole}: ${packageName(qualification)}, AQF level ${aqf_level}, ` +
    (status === "current" ? "current." : `superseded by ${superseded_by}.`);
  return (
    <Head>
      <title>{`${whole} · ${state.services.config.productName}`}</title>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={state.services.config.productName} />
      <meta property="og:title" content={whole} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <link key="canonical" rel="canonical" href={address} />
      <link rel="stylesheet" href={asset("/styles/qualifications.css")} />
    </Head>
  );
}
