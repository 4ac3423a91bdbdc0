/** The sections of the account page: saved qualifications and searches, and those opened recently. */
import type { ComponentChildren } from "preact";
import { compareUrl } from "../../lib/features/qualifications/comparison.ts";
import { type Filters, searchUrl } from "../../lib/features/qualifications/filters.ts";
import { listQualifications } from "../../lib/features/qualifications/listing.ts";
import {
  type Catalogue,
  MAX_SAVED_QUALIFICATIONS,
  MAX_SAVED_SEARCHES,
  type SavedItems,
  successionOf,
} from "../../lib/features/qualifications/mod.ts";
import {
  packageName,
  type Qualification,
} from "../../lib/features/qualifications/qualification.ts";
import type { State } from "../../lib/app/state.ts";
import { plural } from "../../lib/base/time.ts";
import { myRecordUrl, siteHomePath } from "../navigation.ts";
import { StatusPill } from "./Results.tsx";
import { SAVE_FORM, SaveForm } from "./SaveButton.tsx";
import { Time } from "../Time.tsx";

/** The saved items on the account page. Every control works without JavaScript. */
export function SavedSections({ state, items }: { state: State; items: SavedItems }) {
  const { catalogue, config } = state.services;
  const { contactEmail } = config.organisations[state.surface.organisation];
  const home = siteHomePath(state.surface);
  const record = myRecordUrl(state);
  const qualifications = items.qualifications.flatMap(({ code, saved_at }) => {
    const qualification = catalogue.get(code);
    return qualification === undefined ? [] : [{ qualification, saved_at }];
  });
  return (
    <>
      <SaveForm from="/account" />
      <div class="saved top gap-5 above-5 block-print">
        <div class="stack gap-5">
          <SavedQualifications catalogue={catalogue} home={home} saved={qualifications} />
          <Recents catalogue={catalogue} recents={items.recents} />
        </div>
        <div class="stack gap-5">
          <SavedSearches catalogue={catalogue} home={home} searches={items.searches} />
          <section class="box shadowed panel" aria-labelledby="data">
            <h2 class="below-3 text-large" id="data">Your data</h2>
            <p>
              Download your account, what you saved and what you opened.
            </p>
            <p class="actions">
              <a class="button small" href="/account/export">JSON</a>
              <a class="button small" href="/account/export?format=csv">CSV</a>
            </p>
            <p class="note flush">
              To have the account deleted, write to{" "}
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>. A record that you have
              registered is not part of it: see its level, correct it or delete it in{" "}
              {record === null ? "“My record”" : <a href={record}>“My record”</a>}.
            </p>
          </section>
        </div>
      </div>
    </>
  );
}

interface SavedQualification {
  qualification: Qualification;
  saved_at: string;
}

function SavedQualifications(
  { catalogue, home, saved }: {
    catalogue: Catalogue;
    home: string;
    saved: SavedQualification[];
  },
) {
  const superseded = saved.filter(({ qualification }) => qualification.status === "superseded");
  return (
    <section class="box shadowed panel" aria-labelledby="saved">
      <PanelHead id="saved" title="Saved qualifications" count={saved.length} />
      {saved.length === 0
        ? (
          <>
            <Empty>
              Save a qualification to find it here and to see when it is superseded.
            </Empty>
            <ol class="saved-steps">
              <li class="relative ruled">
                <a href={home}>Search</a> by code, title or training package.
              </li>
              <li class="relative ruled">Save the qualifications that you deliver or teach.</li>
              <li class="relative ruled">
                Come back to see which are superseded, and compare each with its successor.
              </li>
            </ol>
          </>
        )
        : (
          <>
            <p class="below-3 muted">
              {superseded.length === 0
                ? "All of them are current."
                : `${superseded.length} of ${saved.length} ${
                  superseded.length === 1 ? "is" : "are"
                } superseded.`}
            </p>
            <ul class="saved-list with-status">
              {saved.map(({ qualification, saved_at }) => (
                <SavedRow
                  key={qualification.code}
                  qualification={qualification}
                  latest={successionOf(catalogue, qualification).successors.at(-1)}
                  saved_at={saved_at}
                />
              ))}
            </ul>
            {saved.length > 1 && (
              <form id="compare" action="/compare">
                <button type="submit" class="button small">Compare selected</button>
              </form>
            )}
            {saved.length >= MAX_SAVED_QUALIFICATIONS && (
              <p class="muted">You can save {MAX_SAVED_QUALIFICATIONS} qualifications.</p>
            )}
          </>
        )}
    </section>
  );
}

function SavedRow(
  { qualification, latest, saved_at }: SavedQualification & { latest: Qualification | undefined },
) {
  const { code, title, status } = qualification;
  return (
    <li class="flex top gap-3 ruled">
      <label class="saved-pick screen-only">
        <input class="flush" type="checkbox" name="code" value={code} form="compare" />
        <span class="visually-hidden">Compare {code}</span>
      </label>
      <div class="saved-what stack shrinks">
        <a class="ink bold" href={`/qualifications/${code}`}>{title}</a>
        <span class="muted text-small">
          <code>{code}</code> · {packageName(qualification)} · saved <Time at={saved_at} day />
        </span>
        {latest !== undefined && (
          <span class="saved-latest text-small">
            {latest.status === "current" ? "Now" : "Followed by"}{" "}
            <a href={`/qualifications/${latest.code}`}>{latest.code} {latest.title}</a>{" "}
            <a href={compareUrl(code, latest.code)}>Compare</a>
          </span>
        )}
      </div>
      <StatusPill status={status} />
      <RemoveButton name="remove" value={code} label={`Remove ${code}`} />
    </li>
  );
}

function SavedSearches(
  { catalogue, home, searches }: {
    catalogue: Catalogue;
    home: string;
    searches: SavedItems["searches"];
  },
) {
  const totalOf = (filters: Filters) =>
    listQualifications(catalogue, filters, { limit: 0, offset: 0 }).total;
  return (
    <section class="box shadowed panel" aria-labelledby="searches">
      <PanelHead id="searches" title="Saved searches" count={searches.length} />
      {searches.length === 0
        ? (
          <Empty>
            Search, and choose “Save this search”. It then appears here, with its number of results.
          </Empty>
        )
        : (
          <ul class="saved-list">
            {searches.map(({ filters }) => {
              const search = searchUrl("", filters);
              const name = describe(filters);
              return (
                <li class="flex top gap-3 ruled" key={search}>
                  <div class="saved-what stack shrinks">
                    <a class="ink bold" href={`${home}${search}`}>{name}</a>
                    <span class="muted text-small">{plural(totalOf(filters), "result")} today</span>
                  </div>
                  <RemoveButton name="remove_search" value={search} label={`Remove ${name}`} />
                </li>
              );
            })}
          </ul>
        )}
      {searches.length >= MAX_SAVED_SEARCHES && (
        <p class="muted">You can save {MAX_SAVED_SEARCHES} searches.</p>
      )}
    </section>
  );
}

/** Describes a search in words: `“care”, level 3, CHC, current`. */
function describe({ q, level, package: code, status }: Filters): string {
  const parts = [q && `“${q}”`, level && `level ${level}`, code, status];
  const text = parts.filter(Boolean).join(", ");
  return text[0].toUpperCase() + text.slice(1);
}

function Recents(
  { catalogue, recents }: { catalogue: Catalogue; recents: SavedItems["recents"] },
) {
  const opened = recents.flatMap(({ code }) => catalogue.get(code) ?? []);
  return (
    <section class="box shadowed panel" aria-labelledby="recents">
      <PanelHead id="recents" title="Recently opened" />
      {opened.length === 0
        ? <Empty>Qualifications that you open are listed here for 90 days.</Empty>
        : (
          <>
            <ul class="saved-list in-columns below-4">
              {opened.map(({ code, title }) => (
                <li class="flex top gap-3 ruled" key={code}>
                  <div class="saved-what stack shrinks">
                    <a class="ink bold" href={`/qualifications/${code}`}>{title}</a>
                    <code class="muted text-small">{code}</code>
                  </div>
                </li>
              ))}
            </ul>
            <button
              type="submit"
              class="button small"
              form={SAVE_FORM}
              name="clear_recents"
              value="1"
            >
              Clear the list
            </button>
          </>
        )}
    </section>
  );
}

function PanelHead({ id, title, count }: { id: string; title: string; count?: number }) {
  return (
    <h2 class="cluster gap-3 below-3 text-large" id={id}>
      {title} {count !== undefined && count > 0 && <span class="panel-count muted">{count}</span>}
    </h2>
  );
}

const Empty = ({ children }: { children: ComponentChildren }) => <p class="muted">{children}</p>;

function RemoveButton({ name, value, label }: { name: string; value: string; label: string }) {
  return (
    <button
      type="submit"
      class="button small quiet"
      form={SAVE_FORM}
      name={name}
      value={value}
      aria-label={label}
    >
      Remove
    </button>
  );
}
