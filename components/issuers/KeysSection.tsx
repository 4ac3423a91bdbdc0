/** The section about API keys on an issuer's page: creating, replacing and revoking them. */
import {
  type ApiKeyRow,
  DEFAULT_KEY_LIFETIME,
  DEFAULT_OVERLAP,
  KEY_LIFETIMES,
  KEY_MODES,
  KEY_SCOPES,
  type KeyWebhook,
  MAX_KEY_NAME,
  newKeyId,
  OVERLAPS,
  SCOPES,
  shortKey,
  type UsedKey,
  works,
} from "../../lib/features/issuers/mod.ts";
import { plural } from "../../lib/base/time.ts";
import { webhooksOfKey } from "../../lib/features/webhooks/mod.ts";
import { Field } from "../Field.tsx";
import { WebhooksChoice } from "./WebhooksChoice.tsx";
import { Time } from "../Time.tsx";
import { IssuerForm, refusedForm } from "./IssuerForm.tsx";
import type { IssuerSection, IssuerView } from "./section.ts";

/** How many networks of a key the page names. */
const MOST_NETWORKS = 5;

type ListedKey = UsedKey & { webhooks: KeyWebhook[] };

/** The API keys of an issuer of the commercial organisation. */
export const keysSection: IssuerSection<ListedKey[]> = {
  id: "keys",
  title: "API keys",
  async read({ id, state: { services: { issuerKeys, webhooks }, surface } }) {
    if (surface.organisation !== "commercial") return [];
    const [keys, ...lists] = await Promise.all([
      issuerKeys.list(id),
      ...KEY_MODES.map((mode) => webhooks.list({ issuer: id, mode })),
    ]);
    return keys.map((key) => ({ ...key, webhooks: webhooksOfKey(lists.flat(), key.id) }));
  },
  show(view, keys) {
    if (view.issuer.organisation !== "commercial") return null;
    const working = keys.filter((key) => works(key, view.now));
    const ended = keys.filter((key) => !works(key, view.now));
    return (
      <>
        {working.length === 0
          ? <p class="muted">There is no active key. A program needs one to issue documents.</p>
          : <KeyList view={view} keys={working} />}
        {ended.length > 0 && (
          <details>
            <summary>{plural(ended.length, "key")} that ended in the last 90 days</summary>
            <KeyList view={view} keys={ended} />
          </details>
        )}
        {view.issuer.state === "ended"
          ? (
            <p>
              This issuer has ended, so its keys no longer work, and you cannot create new ones.
            </p>
          )
          : <NewKey view={view} isFirst={keys.length === 0} />}
        <Guide view={view} />
      </>
    );
  },
};

/** For whoever gets a key. */
function Guide({ view }: { view: IssuerView }) {
  const url = view.state.services.surfaces.url("api", "/docs/issuing");
  return url === null ? null : (
    <p class="muted">
      How to use a key: <a href={url}>{url}</a>
    </p>
  );
}

const KeyList = ({ view, keys }: { view: IssuerView; keys: readonly ListedKey[] }) => (
  <ul class="document-list">
    {keys.map((key) => <KeyItem key={key.id} view={view} row={key} />)}
  </ul>
);

function KeyItem({ view, row }: { view: IssuerView; row: ListedKey }) {
  const { name, mode, scopes, created_at, created_by, last_used_at } = row;
  const isTest = mode === "test";
  return (
    <li class="stack gap-1 ruled anywhere">
      <span>
        <strong>{name}</strong>{" "}
        <span class={`pill ${isTest ? "" : "good"}`.trim()}>{isTest ? "Test" : "Live"}</span>{" "}
        <State row={row} now={view.now} />
      </span>
      <code>{shortKey(row)}</code>
      <span class="muted">{scopes.map((scope) => KEY_SCOPES[scope]).join(" · ")}</span>
      <span class="muted text-small">
        Created on <Time at={created_at} day /> by {created_by} ·{" "}
        {last_used_at === null ? "never used" : (
          <>
            last used on <Time at={last_used_at} />
          </>
        )}
        <End row={row} now={view.now} />
      </span>
      {row.networks.length > 0 && (
        <span class="muted text-small">
          Used from {row.networks.slice(0, MOST_NETWORKS).join(" · ")}
          {row.networks.length > MOST_NETWORKS &&
            ` and ${plural(row.networks.length - MOST_NETWORKS, "more network")}`}
        </span>
      )}
      {row.webhooks.length > 0 && (
        <span class="muted text-small">
          Webhooks: {row.webhooks.map(({ place }) => place).join(" · ")}
        </span>
      )}
      {row.revoked_at === null && <KeyForms view={view} row={row} />}
    </li>
  );
}

/** The state of a key, unless it works and nothing is special about it. */
function State({ row, now }: { row: ApiKeyRow; now: number }) {
  if (row.revoked_at !== null) return <span class="pill bad">Revoked</span>;
  if (!works(row, now)) {
    return <span class="pill bad">{row.replaced_by === null ? "Expired" : "Replaced"}</span>;
  }
  return row.replaced_by === null ? null : <span class="pill warn">Being replaced</span>;
}

function End({ row, now }: { row: ApiKeyRow; now: number }) {
  const { revoked_at, expires_at } = row;
  if (revoked_at !== null) {
    return (
      <>
        {" "}· revoked on <Time at={revoked_at} />
      </>
    );
  }
  if (expires_at === null) return <>{" "}· no expiry</>;
  return (
    <>
      {" "}· {works(row, now) ? "works until" : "worked until"} <Time at={expires_at} />
    </>
  );
}

function KeyForms({ view, row }: { view: IssuerView; row: ListedKey }) {
  const { id, name, replaced_by } = row;
  const fields = { key: id };
  const replacing = refusedForm(view, "replace_key", fields);
  const revoking = refusedForm(view, "revoke_key", fields);
  return (
    <div class="actions above-3">
      {replaced_by === null && works(row, view.now) && (
        <details class="choice" open={replacing !== undefined}>
          <summary class="button small">
            Replace<span class="visually-hidden">{` ${name}`}</span>
          </summary>
          <p class="above-4">
            Creates a key with the same name and scopes. Both work until the program uses the new
            one.
          </p>
          <IssuerForm view={view} act="replace_key" fields={fields} submit="Create the new key">
            <KeyField
              of={id}
              name="overlap"
              label="The old key works for"
              problem={replacing?.issues.overlap}
            >
              {(control) => (
                <select {...control} required={false}>
                  {Object.entries(OVERLAPS).map(([value, text]) => (
                    <option key={value} value={value} selected={value === DEFAULT_OVERLAP}>
                      {text}
                    </option>
                  ))}
                </select>
              )}
            </KeyField>
          </IssuerForm>
        </details>
      )}
      <details class="choice" open={revoking !== undefined}>
        <summary class="button small">
          Revoke<span class="visually-hidden">{` ${name}`}</span>
        </summary>
        <p class="above-4">
          Programs that use this key get errors at once, and its batches stop. Documents that were
          issued with it stay as they are. Revoking can’t be undone.
        </p>
        <IssuerForm
          view={view}
          act="revoke_key"
          fields={fields}
          submit="Revoke the key"
          tone="danger"
        >
          <WebhooksChoice webhooks={row.webhooks} problem={revoking?.issues.webhooks} />
          <label class="check">
            <input type="checkbox" name="confirm" value="yes" required />
            <span class="anywhere">Revoke {name}</span>
          </label>
          {revoking?.issues.confirm !== undefined && (
            <p class="problem" role="alert">{revoking.issues.confirm}</p>
          )}
        </IssuerForm>
      </details>
    </div>
  );
}

function NewKey({ view, isFirst }: { view: IssuerView; isFirst: boolean }) {
  const refused = refusedForm(view, "create_key");
  const { values = {}, issues = {} } = refused ?? {};
  const isChosen = (scope: string) =>
    refused === undefined ? scope.startsWith("documents:") : values[scope] === "on";
  const lifetime = values.expires ?? DEFAULT_KEY_LIFETIME;
  // The id makes a form that is sent twice create one key.
  const id = refused === undefined ? newKeyId() : values.id;
  return (
    <details class="choice" open={isFirst || refused !== undefined}>
      <summary class="button">Create a key</summary>
      <IssuerForm
        view={view}
        act="create_key"
        fields={{ id }}
        submit="Create the key"
        tone="primary"
      >
        <KeyField
          name="name"
          label="Name"
          hint="The system that will use it."
          problem={issues.name}
        >
          {(control) => (
            <input
              {...control}
              value={values.name}
              maxlength={MAX_KEY_NAME}
              autocomplete="off"
            />
          )}
        </KeyField>
        <fieldset class="field">
          <legend>Mode</legend>
          {MODES.map(({ mode, title, text }) => (
            <label class="check" key={mode}>
              <input
                type="radio"
                name="mode"
                value={mode}
                required
                checked={(values.mode ?? "test") === mode}
              />
              <span class="stack">
                {title}
                <small class="muted">{text}</small>
              </span>
            </label>
          ))}
          {issues.mode !== undefined && <span class="problem">{issues.mode}</span>}
        </fieldset>
        <fieldset class="field">
          <legend>The key may</legend>
          {SCOPES.map((scope) => (
            <label class="check" key={scope}>
              <input type="checkbox" name={scope} checked={isChosen(scope)} />
              <span class="stack">
                {KEY_SCOPES[scope]}
                <small class="muted">
                  <code>{scope}</code>
                </small>
              </span>
            </label>
          ))}
          {issues.scopes !== undefined && <span class="problem">{issues.scopes}</span>}
        </fieldset>
        <KeyField name="expires" label="Works for" problem={issues.expires}>
          {(control) => (
            <select {...control} required={false}>
              {LIFETIMES.map(([value, text]) => (
                <option key={value} value={value} selected={value === lifetime}>{text}</option>
              ))}
            </select>
          )}
        </KeyField>
      </IssuerForm>
    </details>
  );
}

const MODES = [
  {
    mode: "test",
    title: "Test",
    text: "Its data is separate. Every page says TEST, and no email is sent.",
  },
  { mode: "live", title: "Live", text: "Issues real documents and emails their recipients." },
] as const;

const LIFETIMES = Object.entries(KEY_LIFETIMES);

/** A required field, whose id differs from those of other forms on the page. */
const KeyField = (
  { of = "new", name, ...others }: Parameters<typeof Field>[0] & { of?: string },
) => (
  <Field {...others} name={`key-${of}-${name}`} required>
    {(control) => others.children({ ...control, name })}
  </Field>
);
