/** The page `/k`, where anyone checks the key on a holder's card. */
import { PageHead } from "../PageHead.tsx";
import type { KeyAnswer } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import type { PageLog } from "../chain/browser_trust.ts";
import { KeyService } from "./KeyService.tsx";

export interface KeyServicePageData {
  answer: KeyAnswer | null;
  log: PageLog | null;
}

/** The page behind the QR code of a holder's card. */
export function KeyServicePage({ answer, log, state }: KeyServicePageData & { state: State }) {
  const { services: { surfaces, config, chains }, surface } = state;
  const { name, codeHostUrl } = config.organisations[surface.organisation];
  return (
    <div class="key-page verify-page">
      <PageHead
        title="Check a key"
        description="Checks the key that the holder of a record shows, and verifies the record's chain in your browser."
        styles="key"
      >
        <meta name="robots" content="noindex" />
      </PageHead>
      <header>
        <p class="eyebrow">Key service</p>
        <h1 class="below-3">Check a key</h1>
      </header>
      <KeyService
        answer={answer}
        publisher={{ name, host: chains.publisher }}
        log={log}
        links={{
          levels: `${surface.baseUrl}/levels`,
          standard: surfaces.url("foundation", "/standard/verification"),
          code: codeHostUrl,
        }}
      />
    </div>
  );
}
