import { setTimeout as wait } from 'node:timers/promises';
import { rememberSecret } from '../../support/canaries.ts';
import { hookSender } from '../../support/hooked.ts';
import { type Client, client } from '../../support/http-client.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { type Call, isFailed, type Kind, SHARES } from './call.ts';
import type { World } from './world.ts';

/** Longer than the service makes any caller wait. */
const CALL_MS = 60_000;
const BODY_CHARACTERS = 160;
const POSTED = { text: 'x'.repeat(2_000) };

/** The header that has the number of the call. */
export const NUMBER_HEADER = 'test-call';

type Headers = Readonly<Record<string, string>>;

interface MixedLoadOptions {
  readonly world: World;
  /** The address that the calls are sent to, often that of a reverse proxy. */
  readonly url: string;
  readonly apiKey: string;
  readonly perSecond: number;
}

/**
 * Sends calls of all kinds at an even rate, whether or not earlier ones have ended, until it is stopped. It repeats none, so that
 * each failure is counted.
 */
export class MixedLoad {
  /** The calls that failed. */
  readonly failed: Call[] = [];
  /** The duration of each call that succeeded, in milliseconds. */
  readonly durationsMs: number[] = [];
  /** The time, by `performance.now`, at which each of the provider's webhooks was acknowledged, by its number. */
  readonly acknowledged = new Map<number, number>();
  /** The time at which each import was answered, by the ID of the connection. */
  readonly imported = new Map<string, number>();
  /** The time at which the last successful call of each kind began. */
  readonly lastSuccess = new Map<Kind, number>();
  sent = 0;
  readonly #options: MixedLoadOptions;
  readonly #random = new SeededRandom(50).next;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #sending: Promise<void> | undefined;

  constructor(options: MixedLoadOptions) {
    this.#options = options;
  }

  start(): void {
    this.#sending = this.#send();
  }

  /** Sends no further call, and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sending;
    await Promise.all(this.#running);
  }

  async #send(): Promise<void> {
    const startedAt = performance.now();
    while (!this.#stopping.signal.aborted) {
      const call = this.#call(this.sent, this.#pickKind()).finally(() => this.#running.delete(call));
      this.#running.add(call);
      this.sent += 1;
      await wait(Math.max(0, startedAt + (this.sent * 1_000) / this.#options.perSecond - performance.now()));
    }
  }

  #pickKind(): Kind {
    let left = this.#random() * Object.values(SHARES).reduce((sum, share) => sum + share, 0);
    for (const [kind, share] of Object.entries(SHARES) as [Kind, number][]) {
      left -= share;
      if (left < 0) return kind;
    }
    return 'proxied GET';
  }

  async #call(number: number, kind: Kind): Promise<void> {
    const begunAt = performance.now();
    const result = await this.#attempt(number, kind);
    const call = { kind, number, begunAt, endedAt: performance.now(), ...result };
    if (isFailed(call)) {
      this.failed.push(call);
      return;
    }
    this.durationsMs.push(call.endedAt - begunAt);
    this.lastSuccess.set(kind, begunAt);
  }

  async #attempt(number: number, kind: Kind): Promise<Pick<Call, 'outcome' | 'body'>> {
    const { url, apiKey, world } = this.#options;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('no response in a minute')), CALL_MS);
    try {
      const { status, text } = await Promise.race([this.#request(client(url, apiKey), world, number, kind), late.promise]);
      return { outcome: status, body: status < 300 ? '' : text.slice(0, BODY_CHARACTERS) };
    } catch (error) {
      return { outcome: codeOf(error), body: '' };
    } finally {
      clearTimeout(timer);
    }
  }

  async #request(api: Client, world: World, number: number, kind: Kind) {
    const connectionId = world.pickConnection(this.#random());
    const numbered = { [NUMBER_HEADER]: String(number) };
    const headers = { ...numbered, 'provider-config-key': world.key, 'connection-id': connectionId };
    const read = (query = '') =>
      api.get(`/connections/${connectionId}?provider_config_key=${world.key}${query}`, { headers: numbered });
    const senders = {
      'proxied GET': () => api.get('/proxy/me', { headers }),
      'proxied POST': () => api.post('/proxy/echo', POSTED, { headers }),
      'connection read': () => read(),
      'forced refresh': () => read('&force_refresh=true'),
      'connect session': () => this.#createSession(api, numbered),
      'provider webhook': () => this.#sendWebhook(world, number, numbered),
      import: () => this.#import(world, number, numbered),
    } as const satisfies Record<Kind, unknown>;
    return await senders[kind]();
  }

  async #createSession(api: Client, headers: Headers) {
    const response = await api.post('/connect/sessions', {}, { headers });
    if (response.status < 300) rememberSecret('connect session token', response.body.data.token);
    return response;
  }

  async #sendWebhook({ hook }: World, number: number, numbered: Headers) {
    const headers = { ...numbered, 'x-hook-id': `delivery-${number}` };
    const response = await hookSender(client(this.#options.url), hook)({ number }, { headers });
    if (response.status < 300) this.acknowledged.set(number, performance.now());
    return response;
  }

  async #import(world: World, number: number, headers: Headers) {
    const { url, apiKey } = this.#options;
    const connectionId = `imported-${number}`;
    const response = await world.importConnection(client(url, apiKey), connectionId, headers);
    if (response.status < 300) this.imported.set(connectionId, performance.now());
    return response;
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
}
