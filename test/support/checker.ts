import { type Hit, sweep } from './canaries.ts';
import type { LedgerEntry } from './scripted-server/ledger.ts';

/** A case in which the service broke one of its invariants, as the records of a test run show. */
export interface Violation {
  readonly invariant: 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7';
  /** Names the place, request or row concerned; never contains a secret. */
  readonly detail: string;
}

/** A webhook as the application received it: the reported event (the same in every copy), and the `webhook-id`. */
export interface Delivery {
  readonly event: string;
  readonly id: string;
}

/** A write as a client saw it: the request, the status of its response, and the row that must (or must not) exist afterwards. */
export interface ClientWrite {
  readonly what: string;
  readonly status: number;
  readonly table: string;
  readonly where: Readonly<Record<string, unknown>>;
  /** Default: present. */
  readonly expects?: 'present' | 'absent';
}

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export interface HostLedger {
  readonly host: string;
  readonly entries: readonly LedgerEntry[];
  /** Tells whether this host may receive the remembered secret of this name. */
  readonly mayReceive: (secret: string) => boolean;
}

/** A row in an intermediate state, which it must leave before the deadline. */
export interface TransientRow {
  readonly what: string;
  readonly deadline: Date;
}

/**
 * C1: the service does not present a generation of a refresh token again, unless the outcome of the earlier request is unknown.
 *
 * @param lost tells whether the service cannot have seen the response to a completed request, for example because it was killed
 */
export function presentedOnce(entries: readonly LedgerEntry[], lost: (entry: LedgerEntry) => boolean = () => false): Violation[] {
  const spent = new Set<string>();
  const violations: Violation[] = [];
  for (const entry of entries) {
    if (entry.presented?.kind !== 'refresh') continue;
    const token = `generation ${entry.presented.generation} of grant ${entry.presented.family}`;
    if (spent.has(token)) violations.push({ invariant: 'C1', detail: `${token} was presented again after its response` });
    if (isConclusive(entry) && !lost(entry)) spent.add(token);
  }
  return violations;
}

/** C2: a webhook for every committed event was delivered at least once. */
export function allDelivered(committed: readonly string[], deliveries: readonly Delivery[]): Violation[] {
  const delivered = new Set(deliveries.map(({ event }) => event));
  return committed
    .filter((event) => !delivered.has(event))
    .map((event) => ({ invariant: 'C2', detail: `${event} was never delivered` }));
}

/** C3: all copies of the webhook for an event have the same `webhook-id`. */
export function oneIdEach(deliveries: readonly Delivery[]): Violation[] {
  const byEvent = Map.groupBy(deliveries, ({ event }) => event);
  return [...byEvent].flatMap(([event, copies]): Violation[] => {
    const ids = new Set(copies.map(({ id }) => id));
    return ids.size <= 1 ? [] : [{ invariant: 'C3', detail: `${event} was delivered under ${ids.size} ids` }];
  });
}

/** C4: no webhook was delivered for an event that was not committed. */
export function nothingInvented(committed: readonly string[], deliveries: readonly Delivery[]): Violation[] {
  const known = new Set(committed);
  return deliveries
    .filter(({ event }) => !known.has(event))
    .map(({ event }) => ({ invariant: 'C4', detail: `${event} was never committed` }));
}

/** C5: every write that was acknowledged with 2xx is still in effect: its row is present, or absent if that is expected. */
export function acknowledgedWritesHold(writes: readonly ClientWrite[], rows: Rows): Violation[] {
  return writes
    .filter(({ status }) => status >= 200 && status < 300)
    .filter((write) => isPresent(write, rows) !== ((write.expects ?? 'present') === 'present'))
    .map(({ what, status }) => ({ invariant: 'C5', detail: `${what} got ${status} but did not last` }));
}

/** C6: no host received a remembered secret, plain or encoded, that is not meant for it. */
export function secretsStayHome(ledgers: readonly HostLedger[]): Violation[] {
  return ledgers.flatMap(({ host, entries, mayReceive }) =>
    sweep({ [host]: entries.map(textOf) })
      .filter(({ secret }) => !mayReceive(secret))
      .map((hit): Violation => ({ invariant: 'C6', detail: describeHit(hit) })),
  );
}

/** C7: no row is in an intermediate state after its deadline. @param graceMs how late a row may be */
export function nothingStuck(rows: readonly TransientRow[], now: Date, graceMs = 0): Violation[] {
  return rows
    .filter(({ deadline }) => deadline.getTime() + graceMs < now.getTime())
    .map(({ what, deadline }) => ({ invariant: 'C7', detail: `${what} should have ended at ${deadline.toISOString()}` }));
}

/** Tells whether a response shows that the token is spent. After 5xx and 429 it may not be, so it must be presented again. */
function isConclusive({ outcome, status }: LedgerEntry): boolean {
  return outcome === 'answered' && status !== undefined && status < 500 && status !== 429;
}

function isPresent({ table, where }: ClientWrite, rows: Rows): boolean {
  return (rows[table] ?? []).some((row) => Object.entries(where).every(([column, value]) => row[column] === value));
}

function textOf({ target, rawHeaders, body }: LedgerEntry): Buffer {
  return Buffer.concat([Buffer.from([target, ...rawHeaders, ''].join('\n')), body]);
}

function describeHit({ place, secret, form }: Hit): string {
  return `"${secret}" (${form}) reached ${place}`;
}
