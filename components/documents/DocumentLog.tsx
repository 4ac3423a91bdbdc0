import { useEffect, useState } from "preact/hooks";
import type { MatchReport } from "../../lib/features/documents/checks/report.ts";
import type { LogFinding } from "../../packages/proof/mod.ts";
import type { PageLog } from "../chain/browser_trust.ts";
import { loadExaminer } from "../chain/load_examiner.ts";
import { LogResult } from "../chain/LogResult.tsx";

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
    const { findDocument, prepareVerifier } = await loadExaminer();
    await prepareVerifier();
    setFinding(await findDocument(match, sha256, log, { acceptKey }));
  };
  useEffect(() => void check().catch(reportError), [match, sha256]);
  return finding === null ? null : (
    <LogResult
      finding={finding}
      logUrl={log.url}
      subject="document"
      onAcceptKey={() => check(true).catch(reportError)}
    />
  );
}
