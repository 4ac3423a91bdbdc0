import { HttpError, page } from "fresh";
import { OperationPage } from "../../../components/api/OperationPage.tsx";
import type { OperationText } from "../../../lib/features/api/mod.ts";
import { define, sharedPage } from "../../../lib/app/state.ts";

export const handler = sharedPage<OperationText>({
  async GET({ params, state: { services, surface } }) {
    const text = await services.api.operation(surface, params.id);
    if (text === undefined) throw new HttpError(404);
    return page(text);
  },
});

/** An operation of the API, from the same row as in `/openapi.json`. */
export default define.page<typeof handler>(({ data }) => <OperationPage text={data} />);
