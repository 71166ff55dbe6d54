import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { pauseUnlessAborted } from '../kit/abortable.ts';
import type { Logger } from '../kit/logger.ts';
import type { Listener } from './listener.ts';

const CHANNEL = 'svc_instances';
const ANNOUNCEMENTS = { tries: 3, everyMs: 5_000 };
/**
 * Number of consecutive looks after which an instance counts as gone. Ten looks take two seconds. They are counted, not timed: a
 * pause of this process only makes them take longer.
 */
const LOOKS = 10;
const LOOK_EVERY_MS = 190;
/**
 * Maximum milliseconds between two looks. Under load, looks may be slow; but a session that is gone stays gone, and one that
 * comes back is a different one.
 */
const LONGEST_GAP_MS = 10_000;
/** Milliseconds to wait for the registration of this instance: time for two announcements. */
const SETTLED_WITHIN_MS = 10_000;
/** Milliseconds in which a listener that lives has come back (`listener.ts`). */
const COMING_BACK_MS = 10_000;
/** Prefix of the names of owners that an instance creates while its session cannot be observed. */
const UNOBSERVABLE = '~';

// Behind a pooler in transaction mode a notice may arrive all the same, and each statement may run in another session: hence the
// condition on the process ID.
const REGISTER = `
  insert into instances (id, backend_pid, backend_start, server_start, outbound_allow)
  select $1, pid, backend_start, pg_postmaster_start_time(), $2::jsonb from pg_stat_activity
  where pid = pg_backend_pid() and pid = $3
  on conflict (id) do update set (backend_pid, backend_start, server_start, registered_at, outbound_allow)
    = (excluded.backend_pid, excluded.backend_start, excluded.server_start, now(), excluded.outbound_allow)`;

/**
 * SQL for a query of `instances` that finds the session which the row names. Sessions of another role show their process ID, but
 * not when they began.
 */
export const SESSION_STANDS = `
  select from pg_stat_activity activity where activity.pid = instances.backend_pid
    and coalesce(activity.backend_start = instances.backend_start, true)`;
const FORGET_OLD = `
  delete from instances where registered_at < now() - interval '7 days' and not exists (${SESSION_STANDS})`;
const ABSENT = `
  select concat_ws('/', backend_pid, backend_start) as session from instances
  where id = ? and server_start = pg_postmaster_start_time() and not exists (${SESSION_STANDS})`;

const STANDS = `
  select from instances where id = ? and server_start = pg_postmaster_start_time() and exists (${SESSION_STANDS})`;
/**
 * SQL that lets the session of a vanished host end after 90 s. Nothing is set behind a pooler, where the session is not this
 * process's own.
 */
const KEEP_ALIVE = `
  select set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
         set_config('tcp_keepalives_count', '6', false)`;

const OUTBOUND_RULES = `
  select outbound_allow from instances where outbound_allow is not null and exists (${SESSION_STANDS})`;

export interface InstancesOptions {
  readonly db: Knex;
  readonly listener: Listener;
  readonly log: Logger;
  readonly id: string;
  /** `SVC_OUTBOUND_ALLOW` of this process. */
  readonly outboundAllow: readonly string[];
}

/** Returns the allow lists of the instances that run now and can be observed; empty when there are none. */
export async function outboundRules(db: Knex): Promise<readonly (readonly string[])[]> {
  const { rows }: { rows: { outbound_allow: readonly string[] }[] } = await db.raw(OUTBOUND_RULES);
  return rows.map(({ outbound_allow }) => outbound_allow);
}

interface Absence {
  /**
   * The facts that must not change between the looks: the session in the row, the owner's sign of life, and this process's own
   * session.
   */
  readonly facts: readonly unknown[];
  readonly looks: number;
  readonly atMs: number;
}

/**
 * The instances on one database. Determines whether an instance that has begun something is gone; `credentials/README.md`
 * explains why and when that may be believed.
 */
export class Instances implements AsyncDisposable {
  readonly #options: InstancesOptions;
  readonly #absences = new Map<string, Absence>();
  readonly #stopping = new AbortController();
  readonly #settled = new AbortController();
  readonly #unsubscribe: () => void;
  #nonce = '';
  /** The session of the listener that is named in the row of this instance. */
  #registered: object | undefined;
  #announcing: Promise<void> = Promise.resolve();

  constructor(options: InstancesOptions) {
    this.#options = options;
    this.#unsubscribe = options.listener.subscribe(CHANNEL, {
      onGap: () => {
        if (options.listener.isPooled) this.#settled.abort();
        this.#announcing = this.#announce();
      },
      onPayload: (payload) => {
        if (payload === this.#nonce) this.#register().catch((error: unknown) => this.#failed(error));
      },
    });
  }

  /**
   * Waits until others can observe this process, so that they can take over soon whatever it begins, should it be killed. Does
   * not wait behind a pooler, where they never can, and waits no longer than ten seconds.
   */
  async settled(): Promise<void> {
    const over = AbortSignal.any([this.#settled.signal, this.#stopping.signal]);
    await pauseUnlessAborted(SETTLED_WITHIN_MS, over);
    if (!over.aborted)
      this.#options.log.warn(
        'this instance is not registered in the database yet; if it is killed now, others wait 90 s for its refreshes',
      );
  }

  /** Returns a name for something that this instance begins. With it others can find out whether the instance is gone. */
  newOwner(): string {
    return `${this.#session === undefined ? UNOBSERVABLE : ''}${this.#options.id}/${randomUUID()}`;
  }

  isOurs(owner: string): boolean {
    return owner.startsWith(`${this.#options.id}/`) || owner.startsWith(`${UNOBSERVABLE}${this.#options.id}/`);
  }

  /** True when notices arrive: they do not without a session of our own, as behind a pooler in transaction mode. */
  get hearsNotices(): boolean {
    return this.#session !== undefined;
  }

  /** The time by `performance.now` when this process came back from an outage of the database; undefined if there was none. */
  get reconnectedAtMs(): number | undefined {
    return this.#options.listener.reconnectedAtMs;
  }

  /**
   * Looks whether the process that created this name is dead. Callers repeat this several times a second: only ten consecutive
   * looks return true.
   *
   * @param sign changes with every sign of life that the owner gives
   */
  async isGone(owner: string, sign: string): Promise<boolean> {
    const last = this.#absences.get(owner);
    if (last !== undefined && performance.now() - last.atMs < LOOK_EVERY_MS) return last.looks >= LOOKS;
    const [own, absent] = [this.#session, await this.#absentSession(owner)];
    this.#absences.delete(owner);
    if (own === undefined || absent === undefined || own !== this.#session || this.#isComingBack) return false;
    const facts = [own, absent, sign];
    const atMs = performance.now();
    const isNext = last !== undefined && atMs - last.atMs < LONGEST_GAP_MS && facts.every((fact, at) => fact === last.facts[at]);
    const looks = isNext ? last.looks + 1 : 1;
    this.#absences.set(owner, { facts, looks, atMs });
    return looks >= LOOKS;
  }

  /**
   * Returns whether the session of the process that created this name is there: if so, the process lives, although it may be
   * stopped.
   */
  async stands(owner: string): Promise<boolean> {
    const { rows }: { rows: unknown[] } = await this.#options.db.raw(STANDS, [instanceOf(owner)]);
    return rows.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#stopping.abort();
    await this.#announcing;
  }

  /** The session of the listener, if others can observe it. */
  get #session(): object | undefined {
    const { session } = this.#options.listener;
    return session === this.#registered ? session : undefined;
  }

  get #isComingBack(): boolean {
    return this.reconnectedAtMs !== undefined && performance.now() - this.reconnectedAtMs < COMING_BACK_MS;
  }

  /**
   * Sends a notice to itself through the pool: behind a pooler in transaction mode the listener rarely receives it, and no
   * session there is its own.
   */
  async #announce(): Promise<void> {
    const { db, listener } = this.#options;
    const { session } = listener;
    this.#nonce = randomUUID();
    for (let tries = 0; tries < ANNOUNCEMENTS.tries && !this.#stopping.signal.aborted; tries += 1) {
      await db.raw('select pg_notify(?, ?)', [CHANNEL, this.#nonce]).catch((error: unknown) => this.#failed(error));
      await pauseUnlessAborted(ANNOUNCEMENTS.everyMs, this.#stopping.signal);
      if (listener.session !== session || this.#registered === session) return;
    }
  }

  async #register(): Promise<void> {
    const { listener, id, outboundAllow } = this.#options;
    const { session } = listener;
    if (session === undefined || session === this.#registered) return;
    const rows = await listener.query(REGISTER, [id, JSON.stringify(outboundAllow), listener.backendPid ?? null]);
    if (rows === 0) return;
    await listener.query(KEEP_ALIVE, []);
    await listener.query(FORGET_OLD, []);
    if (listener.session !== session) return;
    this.#registered = session;
    this.#settled.abort();
  }

  async #absentSession(owner: string): Promise<string | undefined> {
    const { rows }: { rows: { session: string }[] } = await this.#options.db.raw(ABSENT, [instanceOf(owner)]);
    return rows[0]?.session;
  }

  #failed(error: unknown): void {
    this.#options.log.debug('this instance could not be registered', { error });
  }
}

/**
 * Returns the instance ID in the name of an owner. For an owner whose session could not be observed this is no ID of an instance,
 * because of the prefix.
 */
function instanceOf(owner: string): string {
  return owner.split('/', 1)[0] ?? '';
}
