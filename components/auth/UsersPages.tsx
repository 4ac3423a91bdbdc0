/**
 * The pages of the users of the qualification site: the list, and one user.
 *
 * @module
 */
import type { User, UserList } from "../../lib/features/auth/mod.ts";
import { type UserFilters, userList } from "../../lib/features/auth/console_users.ts";
import type { Layer } from "../../lib/features/operators/mod.ts";
import { formatDateTime, plural } from "../../lib/base/time.ts";
import type { DeliveryRow } from "../../lib/platform/jobs/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { SearchBar } from "../FilterBar.tsx";
import { Problem } from "../ActionPage.tsx";
import { type Listed, ListPage, tableOf } from "../ListPage.tsx";
import { StateNote } from "../StateNote.tsx";
import { Card, PageHead } from "../console_parts.tsx";
import { MailPart } from "../mail_reports/MailList.tsx";
import type { ListColumns } from "../Table.tsx";
import { Time } from "../Time.tsx";

export interface UsersPageProps {
  /** The name of the qualification site. */
  product: string;
  /** The number of all users. */
  count: number;
  list: UserList;
  filters: UserFilters;
  /** The result of the deletion that led here. */
  result: ShownResult | null;
  /** The search that found nobody. */
  search?: { email: string; problem: string };
}

/** The users of the qualification site, the newest first. */
export function UsersPage({ product, count, list, filters, result, search }: UsersPageProps) {
  const older = filters.query?.after !== undefined;
  return (
    <>
      <PageHead
        title="Users"
        lead={`${plural(count, "account")} on ${product}, ` +
          "including those of administrators and board members."}
      />
      {result !== null && <ActionResult result={result} action="/console/users" />}
      <ListPage
        list={userList}
        filters={filters}
        bar={
          <SearchBar
            action="/console/users"
            label="Exact email address"
            submit="Find"
            name="email"
            type="email"
            value={search?.email ?? ""}
            required
            problem={search?.problem}
          />
        }
        page={listed(list, { older, product })}
      />
    </>
  );
}

const USER_COLUMNS: ListColumns<User> = {
  email: {
    title: "Address",
    class: "who",
    hint: ({ email }) => email,
    cell: ({ id, email }) => <a href={`/console/users/${id}`}>{email}</a>,
  },
  id: { title: "User", class: "number", cell: ({ id }) => id },
  created_at: {
    title: "Signed up",
    class: "when",
    cell: ({ created_at }) => <Time at={created_at} day />,
  },
  last_login: {
    title: "Last sign-in",
    class: "last",
    cell: ({ last_login }) => last_login === null ? "never" : <Time at={last_login} day />,
  },
};

const listed = (
  { users, next }: UserList,
  { older, product }: { older: boolean; product: string },
): Listed => ({
  empty: (
    <StateNote kind="empty" title={older ? "Nobody on this page" : "No users yet"}>
      <p>
        {older
          ? <a href="/console/users">Go to the newest users.</a>
          : `Users appear here when they first ask for a sign-in link on ${product}.`}
      </p>
    </StateNote>
  ),
  items: tableOf({
    class: "dense-table stacked admin-table user-table",
    caption: "Users, the newest first",
    columns: USER_COLUMNS,
    items: users,
    keyOf: ({ id }) => id,
    view: null,
  }),
  pages: {
    label: "Pages of users",
    previous: older ? { to: {}, text: "Newest" } : null,
    next: next && { to: { after: next }, text: "Older" },
  },
});

const OPERATORS: Record<Layer, string> = {
  L1: "a full administrator (L1)",
  L2: "a board member (L2)",
};

/** One user, with the form that deletes the account. */
export function UserPage({ user, layer, isSelf, mails, mailPath, problem }: {
  user: User;
  /** The mails to the account, newest first. */
  mails: readonly DeliveryRow[];
  /** The path of the page about the address. */
  mailPath: string;
  /** The user's layer in the consoles; null for everyone else. */
  layer: Layer | null;
  /** True if this is the account of the administrator who reads the page. */
  isSelf: boolean;
  problem?: string;
}) {
  const { id, email, created_at, last_login } = user;
  return (
    <>
      <h1 class="below-5">{email}</h1>
      <Problem text={problem} />
      <div class="user-details">
        <section class="card" aria-labelledby="account">
          <h2 class="below-1" id="account">Account</h2>
          <dl class="facts even">
            <dt>User</dt>
            <dd>{id}</dd>
            <dt>Signed up</dt>
            <dd>
              <Time at={created_at} />
            </dd>
            <dt>Last sign-in</dt>
            <dd>{last_login === null ? "never" : formatDateTime(last_login)}</dd>
          </dl>
          {layer !== null && (
            <p class="note">
              This is {OPERATORS[layer]}{" "}
              of the consoles, so the account cannot be deleted yet. First remove the operator on
              the Team page, or from the site’s configuration if that names the address.
            </p>
          )}
        </section>
        <Card id="mail" title="Mail">
          <MailPart mails={mails} path={mailPath} of="account" />
        </Card>
        <section class="card" aria-labelledby="delete">
          <h2 class="below-1" id="delete">Delete the account</h2>
          {isSelf
            ? <p>This is your own account. Another administrator can delete it.</p>
            : (
              <form method="post">
                <p>
                  This permanently deletes the address, every sign-in link and every session.
                  Records that the person registered are not affected. The audit log keeps the
                  user’s number, without the address.
                </p>
                <label class="check">
                  <input type="checkbox" name="confirm" value="yes" required />
                  Delete user {id} and everything that belongs to the account
                </label>
                <button type="submit" class="button danger">Delete the account</button>
              </form>
            )}
        </section>
      </div>
    </>
  );
}
