import { useEffect, useState } from "preact/hooks";
import { FinanceView } from "../components/console/FinanceView.tsx";
import {
  type Figures,
  type FinancePlace,
  refreshFigures,
  type RefreshResult,
} from "../lib/console/finance.ts";

/**
 * The finance page's figures, and the button that has them fetched again. Without scripts the
 * button is a form that leads back to the page.
 */
export default function Finance({ place, first, came }: {
  place: FinancePlace;
  /** What the server has read. */
  first: Figures;
  /** How the refresh went from which the page comes. */
  came: RefreshResult;
}) {
  const [figures, setFigures] = useState(first);
  const [result, setResult] = useState(came);
  /** The bank has failed since these figures came. */
  const [stale, setStale] = useState(false);

  useEffect(() => {
    // The result is told once: a page that is loaded again has not been refreshed again.
    if (came.state !== "idle") history.replaceState(history.state, "", location.pathname);
  }, []);

  const refresh = async (event: Event) => {
    event.preventDefault();
    if (result.state === "busy") return;
    setResult({ state: "busy" });
    const answer = await refreshFigures();
    if ("code" in answer) {
      if (answer.ofBank) setStale(true);
      return setResult({ state: "failed", code: answer.code });
    }
    setFigures(answer);
    setStale(false);
    setResult({ state: "done" });
  };
  return <FinanceView {...{ place, figures, stale, result }} onRefresh={refresh} />;
}
