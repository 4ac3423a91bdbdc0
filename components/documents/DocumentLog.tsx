import { useEffect, useState } from "preact/hooks";
import type { MatchReport } from "../../lib/features/documents/checks/report.ts";
import { checkLog, documentInLog, type LogFinding, readLogAt } from "../../packages/proof/mod.ts";
import { browserTrust, type PageLog } from "../chain/browser_trust.ts";
import { LogResult } from "../chain/LogResult.tsx";
import { prepareVerifier } from "../prepare_verifier.ts";

export interface DocumentLogProps {
  match: Pick<MatchReport, "version" | "registered_at" | "log">;
  /** The hash of the file that was checked. */
  sha256: string;
  log: PageLog;
}

/** Checks in the browser whether the public log has a document, and says so in one sentence. */
export function DocumentLog({ match, sha256, log }: DocumentLogProps) {
  const [finding, setFinding] = useState<LogFinding | null>(null);
  const check = async (acceptKey = false) => {
    const { publisher, url } = log;
    await prepareVerifier();
    const now = Date.now();
    setFinding(
      await checkLog({
        ...documentInLog(match, sha256),
        origin: `${publisher}/log`,
        trust: browserTrust(publisher, log, { acceptKey }),
        log: readLogAt(new URL(url, location.href).href),
        asOf: now,
        now,
      }),
    );
  };
  useEffect(() => void check().catch(reportError), [match, sha256]);
  return finding === null ? null : (
    <LogResult
      finding={finding}
      subject="document"
      onAcceptKey={() => check(true).catch(reportError)}
    />
  );
}
