/** The invented organisations and accounts of the stand-in for the bank. */
import { transactionsUntil } from "./bank_transactions.ts";
import { createRandom, digits, uuid } from "./random.ts";

/** An account without its balance. */
interface Plan {
  nickname: string | null;
  kind: string;
  status: string;
  openingCents: number;
}

/** Well-formed, but no bank has a routing number from 900000000 up. */
const CURRENT_ROUTING = "900000019";
const OLD_ROUTING = "900000027";
const SHARED = "Foundation Treasury";
/** Id of the account that is held in trust, which both organisations list. */
export const FOUNDATION_ACCOUNT_ID = uuid(createRandom(`shared/${SHARED}`));

const plan = (nickname: string | null, openingCents: number, kind = "checking"): Plan => ({
  nickname,
  kind,
  status: "active",
  openingCents,
});

const ORGANISATIONS = {
  foundation: {
    name: "Open Records Foundation Ltd",
    tradeName: "Open Records",
    ein: "00-1234567",
    plans: [
      plan(SHARED, 48_250_000),
      plan("Operating", 21_400_000),
      plan("Grants", 97_500_000),
      plan("Events", 6_120_000),
      plan("Payroll", 15_800_000),
      plan(null, 30_000_000, "savings"),
    ],
  },
  commercial: {
    name: "Attest Systems Inc",
    tradeName: "Attest",
    ein: "00-7654321",
    plans: [
      plan("Operating", 184_300_000),
      plan("Payroll", 92_600_000),
      plan("Tax Reserve", 61_050_000, "savings"),
      plan("Research", 44_900_000),
      plan(SHARED, 48_250_000),
      plan(null, 27_700_000),
    ],
  },
};

export type SandboxOrganisation = keyof typeof ORGANISATIONS;

/**
 * Creates an organisation's data at a point in time: active accounts, a restricted one, and an archived
 * one with an old routing number. Both organisations have the account that is held in trust.
 *
 * @param now milliseconds since 1970
 * @param extraAccounts number of additional active accounts, without transactions
 */
export function createBank(organisation: SandboxOrganisation, now: number, extraAccounts = 0) {
  const { name, tradeName, ein, plans } = ORGANISATIONS[organisation];
  const transactions = new Map<string, ReturnType<typeof transactionsUntil>>();
  const account = ({ nickname, kind, status, openingCents }: Plan, index: number) => {
    const owner = nickname === SHARED ? "shared" : organisation;
    const random = createRandom(`${owner}/${nickname === SHARED ? SHARED : index}`);
    const id = uuid(random);
    const accountNumber = `20${digits(random, 10)}`;
    let current = openingCents;
    let available = openingCents;
    if (status === "active" && index < plans.length) {
      transactions.set(id, transactionsUntil(id, now));
      for (const { amount, status } of transactions.get(id)!) {
        const cents = Math.round(amount * 100);
        if (status === "sent") current += cents;
        if (status === "sent" || status === "pending" && cents < 0) available += cents;
      }
    }
    return {
      id,
      name: `Business ${kind} ••${accountNumber.slice(-4)}`,
      nickname,
      legalBusinessName: name,
      accountNumber,
      routingNumber: status === "archived" ? OLD_ROUTING : CURRENT_ROUTING,
      availableBalance: available / 100,
      currentBalance: current / 100,
      canReceiveTransactions: status === "active",
      createdAt: "2022-03-01T09:00:00.000000Z",
      dashboardLink: `https://bank.example/accounts/${id}`,
      kind,
      status,
      type: "mercury",
    };
  };
  const extra = Array.from(
    { length: extraAccounts },
    (_, i) => plan(`Client account ${i + 1}`, 100_01 + i),
  );
  const all: Plan[] = [
    ...plans,
    { nickname: "Reserve", kind: "savings", status: "pending", openingCents: 125_000_00 },
    { nickname: "Old operating", kind: "checking", status: "archived", openingCents: 0 },
    ...extra,
  ];
  const accounts = all.map(account);
  return {
    organization: {
      id: uuid(createRandom(organisation)),
      kind: "business",
      legalBusinessName: name,
      ein,
      dbas: [{ dbaName: tradeName, dbaIsDefault: true }],
    },
    accounts,
    /** Transactions by account id, oldest first. */
    transactions,
    /** Ids of the accounts that are listed but return 404 when requested by id. */
    restricted: new Set(
      accounts.filter(({ status }) => status === "pending").map(({ id }) => id),
    ),
  };
}

/** An organisation's data: everything that its token can read. */
export type SandboxBank = ReturnType<typeof createBank>;
