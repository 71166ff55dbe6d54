import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { pauseUnlessAborted } from '../kit/abortable.ts';
import type { Logger } from '../kit/logger.ts';
import type { Listener } from './listener.ts';

const CHANNEL = 'svc_instances';
const ANNOUNCEMENTS = { tries: 3, everyMs: 5_000 };
/**
 * How many consecutive looks for the session of an instance must not find it before the instance counts as gone. Ten looks take
 * two seconds. They are counted, not timed, so that a pause of this process only makes them take longer.
 */
const LOOKS = 10;
const LOOK_EVERY_MS = 190;
/**
 * Maximum milliseconds between two consecutive looks. Under load, looks may be slow; this does no harm, since a session that is
 * gone stays gone: an instance that comes back has a different one.
 */
const LONGEST_GAP_MS = 10_000;
/** Milliseconds to wait for the registration of this instance, enough for two announcements. */
const SETTLED_WITHIN_MS = 10_000;
/** Milliseconds within which the listener of a living instance has reconnected after an outage (`listener.ts`). */
const COMING_BACK_MS = 10_000;
/** Prefix of the owner names that an instance creates while others cannot observe its session. */
const UNOBSERVABLE = '~';

// Even behind a pooler in transaction mode a notice may arrive, but there each statement may run in another session. The
// condition on the process ID ($3) then prevents the registration of a session that is not this process's.
const REGISTER = `
  insert into instances (id, backend_pid, backend_start, server_start, outbound_allow)
  select $1, pid, backend_start, pg_postmaster_start_time(), $2::jsonb from pg_stat_activity
  where pid = pg_backend_pid() and pid = $3
  on conflict (id) do update set (backend_pid, backend_start, server_start, registered_at, outbound_allow)
    = (excluded.backend_pid, excluded.backend_start, excluded.server_start, now(), excluded.outbound_allow)`;

/**
 * SQL, for use in queries of `instances`, that finds the session named by the row. For sessions of another role, Postgres shows
 * the process ID but not the start time, so a missing start time counts as equal.
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
 * SQL that makes Postgres end the session of an instance 90 s after its host has vanished. Not run behind a pooler, where the
 * session does not belong to this process alone.
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
   * The facts that must not change between the looks for a session: this process's session, the session in the owner's row, and
   * the owner's sign of life.
   */
  readonly facts: readonly unknown[];
  readonly looks: number;
  readonly atMs: number;
}

/**
 * The instances on one database. Determines whether an instance that has begun something is gone; `credentials/README.md`
 * explains when that conclusion is safe, and why.
 */
export class Instances implements AsyncDisposable {
  readonly #options: InstancesOptions;
  readonly #absences = new Map<string, Absence>();
  readonly #stopping = new AbortController();
  readonly #settled = new AbortController();
  readonly #unsubscribe: () => void;
  #nonce = '';
  /** The listener's session that is registered in the row of this instance. */
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
   * Waits until other instances can observe this process, so that they can soon take over whatever it begins, should it be
   * killed. Waits no longer than ten seconds, and not at all behind a pooler, where this process can never be observed.
   */
  async settled(): Promise<void> {
    const over = AbortSignal.any([this.#settled.signal, this.#stopping.signal]);
    await pauseUnlessAborted(SETTLED_WITHIN_MS, over);
    if (!over.aborted)
      this.#options.log.warn(
        'this instance is not registered in the database yet; if it is killed now, its refreshes are taken over after 90 s only',
      );
  }

  /**
   * Returns a name for this instance as the owner of something that it begins. By this name, other instances can find out whether
   * this one is gone.
   */
  newOwner(): string {
    return `${this.#session === undefined ? UNOBSERVABLE : ''}${this.#options.id}/${randomUUID()}`;
  }

  isOurs(owner: string): boolean {
    return owner.startsWith(`${this.#options.id}/`) || owner.startsWith(`${UNOBSERVABLE}${this.#options.id}/`);
  }

  /** True when notices arrive. They do not if this process has no session to itself, as behind a pooler in transaction mode. */
  get hearsNotices(): boolean {
    return this.#session !== undefined;
  }

  /** The time by `performance.now` when this process came back from an outage of the database; undefined if there was none. */
  get reconnectedAtMs(): number | undefined {
    return this.#options.listener.reconnectedAtMs;
  }

  /**
   * Looks once whether the process that created this owner name is dead. Callers repeat this several times a second: it returns
   * true only from the tenth consecutive look that did not find the session.
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
   * Returns whether the session of the process that created this owner name exists. If so, the process is alive, although it may
   * be suspended.
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
   * Sends this instance a notice through the pool, and registers the listener's session when the notice arrives. Behind a pooler
   * in transaction mode it rarely arrives, and no session belongs to this process alone, so none must be registered.
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
 * Returns the instance ID in the name of an owner. If the owner's session could not be observed, the result keeps the prefix, so
 * that it is not the ID of any instance.
 */
function instanceOf(owner: string): string {
  return owner.split('/', 1)[0] ?? '';
}
