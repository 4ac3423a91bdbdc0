// @ts-check
/**
 * The service worker of the web app at `/my-record`. The build bundles it, and puts the styles of the
 * offline page before it.
 */
import { startWorker } from "../../components/push/app/worker.tsx";

// @ts-expect-error: the build defines OFFLINE_STYLES
startWorker(self, { styles: OFFLINE_STYLES });
