/** The invented transactions of the stand-in for the bank, the same ones on every start. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { between, createRandom, pick, type Random, uuid } from "./random.ts";

/** Returns a kind of payment with a range of amounts in cents. */
const payment = (name: string, kind: string, min: number, max: number, note?: string) => ({
  name,
  kind,
  min,
  max,
  note: note ?? null,
  counterpartyId: uuid(createRandom(name)),
});
type Payment = ReturnType<typeof payment>;

const DAYS = 731;
const MAX_POSTING_HOURS = 46;

const INCOMING = [
  payment("Harbour Training Group", "externalTransfer", 250_000, 1_900_000),
  payment("Northfield College", "incomingDomesticWire", 800_000, 4_200_000),
  payment("Card settlement", "externalTransfer", 40_000, 620_000),
  payment("Interest", "other", 900, 14_000),
];
const OUTGOING = [
  payment("Cloud hosting", "debitCardTransaction", 1_900, 240_000),
  payment("Meridian Legal", "outgoingPayment", 120_000, 950_000, "Retainer"),
  payment("Assessor fees", "outgoingPayment", 80_000, 1_450_000),
  payment("Courier", "debitCardTransaction", 850, 9_900),
  payment("Wire fee", "wireFee", 1_500, 1_500),
];
/** Payments on fixed days of each month. */
const RECURRING: [payment: Payment, days: number[]][] = [
  [payment("Office rent", "outgoingPayment", 350_000, 350_000, "Rent"), [1]],
  [payment("Wages", "externalTransfer", 2_900_000, 3_400_000, "Pay run"), [14, 28]],
];

/**
 * Returns two years of an account's transactions, oldest first. Each day has its own seed, so that
 * its transactions stay the same as time passes.
 *
 * @param now milliseconds since 1970; no transaction is later
 */
export function transactionsUntil(accountId: string, now: number): Transaction[] {
  const today = Math.floor(now / DAY_MS);
  const known = settled.getOrInsertComputed(accountId, () => new Map());
  const transactions: Transaction[] = [];
  for (let day = today - DAYS + 1; day <= today; day++) {
    const isSettled = (day + 1) * DAY_MS + MAX_POSTING_HOURS * HOUR_MS <= now;
    const found = (isSettled ? known.get(day) : undefined) ?? transactionsOn(accountId, day, now);
    if (isSettled) known.set(day, found);
    transactions.push(...found);
  }
  return transactions;
}

type Transaction = Readonly<ReturnType<typeof createTransaction>>;

/** The transactions of days that no longer change, by account and day. */
const settled = new Map<string, Map<number, Transaction[]>>();

function transactionsOn(accountId: string, day: number, now: number): Transaction[] {
  const random = createRandom(`${accountId}/${day}`);
  const weekend = day % 7 === 2 || day % 7 === 3;
  const count = weekend ? between(random, 0, 1) : between(random, 0, 4);
  const dayOfMonth = new Date(day * DAY_MS).getUTCDate();
  const payments: (Payment | undefined)[] = [
    ...RECURRING.filter(([, days]) => days.includes(dayOfMonth)).map(([payment]) => payment),
    ...Array.from({ length: count }, () => undefined),
  ];
  const minutes = payments.map(() => between(random, 420, 1_259)).sort((a, b) => a - b);
  const transactions: Transaction[] = [];
  for (const [i, minute] of minutes.entries()) {
    const created = day * DAY_MS + minute * MINUTE_MS;
    const transaction = createTransaction(random, accountId, created, now, payments[i]);
    if (created <= now) transactions.push(transaction);
  }
  return transactions;
}

/** Creates a transaction in the provider's shape. Amounts are dollars, negative for outgoing money. */
function createTransaction(
  random: Random,
  accountId: string,
  created: number,
  now: number,
  recurring: Payment | undefined,
) {
  const incoming = recurring === undefined && random() < 0.4;
  const payment = recurring ?? pick(random, incoming ? INCOMING : OUTGOING);
  const { name, kind, min, max, note, counterpartyId } = payment;
  const cents = between(random, min, max);
  const posted = created + between(random, 2, MAX_POSTING_HOURS) * HOUR_MS;
  const chance = random();
  const failed = chance < 0.012;
  const status = failed
    ? "failed"
    : chance < 0.02
    ? "cancelled"
    : posted > now
    ? "pending"
    : "sent";
  const id = uuid(random);
  return {
    id,
    accountId,
    amount: (incoming ? cents : -cents) / 100,
    status,
    kind,
    createdAt: iso(created),
    postedAt: status === "sent" ? iso(posted) : null,
    estimatedDeliveryDate: iso(created + DAY_MS),
    counterpartyId,
    counterpartyName: name,
    counterpartyNickname: null,
    note,
    externalMemo: null,
    bankDescription: `${name.toUpperCase()} ${id.slice(0, 8)}`,
    dashboardLink: `https://bank.example/transactions/${id}`,
    failedAt: failed ? iso(created + HOUR_MS) : null,
    reasonForFailure: failed ? "The receiving bank returned the payment." : null,
    feeId: null,
    details: null,
  };
}

/** Formats a time with microseconds, as the provider does. */
const iso = (time: number) => new Date(time).toISOString().slice(0, -1) + "000Z";
