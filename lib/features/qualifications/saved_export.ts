/** The export of a user's saved qualifications and searches, as JSON or CSV. */
import type { User } from "../auth/mod.ts";
import { textCell } from "../../base/csv.ts";
import { searchUrl } from "./filters.ts";
import type { Catalogue } from "./catalogue.ts";
import type { SavedItems } from "./saved.ts";

/** Everything that the site stores about a user and shows to them. */
interface SavedExport {
  account: Pick<User, "email" | "created_at" | "last_login">;
  qualifications: (ExportedQualification & { saved_at: string })[];
  searches: { query: string; url: string; saved_at: string }[];
  recently_opened: (ExportedQualification & { opened_at: string })[];
}

interface ExportedQualification {
  code: string;
  title: string;
  aqf_level: number | null;
  status: string;
  superseded_by: string | null;
}

/** @param searchPage the URL of the search page, for the links of the searches */
export function exportOf(
  { email, created_at, last_login }: User,
  items: SavedItems,
  catalogue: Catalogue,
  searchPage: string,
): SavedExport {
  const describe = (code: string): ExportedQualification => {
    const found = catalogue.get(code);
    return {
      code,
      title: found?.title ?? "",
      aqf_level: found?.aqf_level ?? null,
      status: found?.status ?? "",
      superseded_by: found?.superseded_by ?? null,
    };
  };
  return {
    account: { email, created_at, last_login },
    qualifications: items.qualifications.map(({ code, saved_at }) => ({
      ...describe(code),
      saved_at,
    })),
    searches: items.searches.map(({ filters, saved_at }) => ({
      query: searchUrl("", filters),
      url: searchUrl(searchPage, filters),
      saved_at,
    })),
    recently_opened: items.recents.map(({ code, opened_at }) => ({
      ...describe(code),
      opened_at,
    })),
  };
}

export const EXPORT_COLUMNS = [
  "kind",
  "code",
  "title",
  "aqf_level",
  "status",
  "superseded_by",
  "search",
  "time",
] as const;

/** Yields the rows of the export for `csvResponse`, in the order of {@link EXPORT_COLUMNS}. */
export async function* exportRows(
  { account, qualifications, searches, recently_opened }: SavedExport,
): AsyncGenerator<string[]> {
  yield ["account", "", textCell(account.email), "", "", "", "", account.created_at];
  const cells = ({ code, title, aqf_level, status, superseded_by }: ExportedQualification) => [
    textCell(code),
    textCell(title),
    String(aqf_level ?? ""),
    status,
    superseded_by ?? "",
  ];
  for (const each of qualifications) {
    yield ["saved qualification", ...cells(each), "", each.saved_at];
  }
  for (const { url, saved_at } of searches) {
    yield ["saved search", "", "", "", "", "", textCell(url), saved_at];
  }
  for (const each of recently_opened) {
    yield ["recently opened", ...cells(each), "", each.opened_at];
  }
}
