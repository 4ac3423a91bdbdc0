/** The interactive part of the console's finance page, which refreshes the figures of the bank. */
import { useEffect, useState } from "preact/hooks";
import { FinanceView } from "../components/bank/FinanceView.tsx";
import {
  type Figures,
  type FinanceSettings,
  readFigures,
  refreshFigures,
  type RefreshState,
} from "../lib/features/bank/console/finance.ts";

/**
 * The finance page. Without scripts, its refresh button submits a form that redirects back to the
 * page.
 */
export default function Finance({ settings, initial, refreshed }: {
  settings: FinanceSettings;
  /** The figures that the server read. */
  initial: Figures;
  /** The result of the refresh form, if it redirected here. */
  refreshed: RefreshState;
}) {
  const [figures, setFigures] = useState(initial);
  const [refresh, setRefresh] = useState(refreshed);
  const [stale, setStale] = useState(false);

  const since = initial.money?.change?.since ?? "";

  useEffect(() => {
    // A reload must not show the result of the refresh form again.
    if (refreshed.state !== "idle") history.replaceState(history.state, "", location.pathname);
    if (initial.money?.flow.error !== "slow") return;
    // It never rejects: a failure is a result.
    void readFigures(since).then((read) => {
      if (read.ok) setFigures(read.figures);
    });
  }, []);

  const onRefresh = async (event: Event) => {
    event.preventDefault();
    if (refresh.state === "busy") return;
    setRefresh({ state: "busy" });
    const result = await refreshFigures(since);
    if (!result.ok) {
      if (result.fromBank) setStale(true);
      return setRefresh({ state: "failed", code: result.error });
    }
    setFigures(result.figures);
    setStale(false);
    setRefresh({ state: "done" });
  };
  return <FinanceView {...{ settings, figures, stale, refresh, onRefresh }} />;
}
