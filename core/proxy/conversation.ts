import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from '../connections/connection.ts';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../kit/clock.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { Head } from './decorate.ts';
import { type Answer, exchange, type Outcome } from './exchange.ts';
import type { Finish } from './finish.ts';
import type { ProxyOptions } from './options.ts';
import { followedRedirect, MAX_REDIRECTS } from './redirects.ts';
import { type RawHeaders, requestHeaders } from './request-headers.ts';
import { Retries, waitFor } from './retries.ts';
import type { Target } from './target.ts';
import { framingOf, Upload } from './upload.ts';
import type { Upstream } from './upstream.ts';

export interface ConversationDeps {
  readonly outbound: Pick<Outbound, 'dispatcher'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly clientPrefix?: string | undefined;
}

export interface ConversationInput {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly limitHeaders?: RawHeaders | undefined;
  readonly options: ProxyOptions;
  readonly way: Way;
  /** The connection as it is now, for another try. */
  readonly reread: () => Promise<Way>;
  /** After the provider refused these credentials: newer ones, or undefined when there are none to be had. */
  readonly renew: (refused: Connection) => Promise<Way | undefined>;
}

/** Credentials and where they may go: of one snapshot of the connection, so that new ones never go to an old host. */
export interface Way {
  readonly upstream: Upstream;
  readonly target: Target;
}

type Held = Extract<Outcome, { kind: 'held' }>;

/** One proxied call from its first try to its last. Most have one. */
export class Conversation {
  readonly #deps: ConversationDeps;
  readonly #input: ConversationInput;
  readonly #upload: Upload | undefined;
  readonly #retries: Retries;
  #upstream: Upstream;
  #target: Target;
  #body: Upload | Buffer | null;
  #redirects = 0;
  #renewed = false;

  constructor(deps: ConversationDeps, input: ConversationInput) {
    const { request, options, way } = input;
    this.#deps = deps;
    this.#input = input;
    this.#upstream = way.upstream;
    this.#target = way.target;
    this.#upload = Upload.of(request, options);
    this.#body = this.#upload ?? null;
    this.#retries = new Retries({
      options,
      method: request.method ?? 'GET',
      hasIdempotencyKey: request.headers['idempotency-key'] !== undefined,
      hints: way.upstream.hints,
      rule: this.#upload === undefined ? way.upstream.retryRule : undefined,
      now: () => deps.clock.now(),
      random: deps.random,
    });
  }

  /** @throws ServiceError */
  async run(): Promise<Outcome> {
    for (;;) {
      const outcome = await this.#try();
      if (outcome === 'again') continue;
      if (outcome.kind !== 'held') return outcome;
      if (!(await this.#actOn(outcome))) return outcome.forward();
      outcome.discard();
    }
  }

  async #try(): Promise<Outcome | 'again'> {
    const { request, response, requestId, limitHeaders, options } = this.#input;
    const headers = requestHeaders(request.rawHeaders, {
      framing: this.#body === null ? [] : framingOf(request),
      credentials: this.#upstream.credentials,
      clientPrefix: this.#deps.clientPrefix,
    });
    const { firstByteMs, idleMs, decompress } = options;
    const isHeld = (answer: Answer) => this.#isHeld(answer);
    const { finish } = this.#upstream;
    const head = finish && (await this.#finished(finish, headers));
    const { target = this.#target, headers: finished = headers } = head ?? {};
    const sent = { request, response, requestId, limitHeaders, target, headers: finished, body: this.#body };
    try {
      return await exchange(this.#deps.outbound.dispatcher, { ...sent, firstByteMs, idleMs, decompress, isHeld });
    } catch (error) {
      if (this.#retries.isWantedAfter(error) && (await this.#canSendAgain()) && (await this.#waitForNextTry(undefined)))
        return 'again';
      throw error;
    }
  }

  #finished(finish: Finish, headers: string[]): Promise<Head> {
    const method = this.#input.request.method ?? 'GET';
    return finish({ method, target: this.#target, headers, readBody: () => this.#readBody() });
  }

  /** What is signed with its body is sent only when that has come. @throws ServiceError `payload_too_large` */
  async #readBody(): Promise<string> {
    if (this.#body instanceof Upload) {
      const whole = await this.#body.whole();
      if (whole === undefined) throw new ServiceError('payload_too_large', 'a form above 1 MiB cannot be signed');
      this.#body = whole;
    }
    return this.#body?.toString('utf8') ?? '';
  }

  /** Called for every answer: must be quick to say no. */
  #isHeld(answer: Answer): boolean {
    if (answer.status < 300) return this.#retries.isWanted(answer);
    return this.#isRefused(answer) || this.#redirectOf(answer) !== undefined || this.#retries.isWanted(answer);
  }

  /** Whether another try follows; all that it needs is then in place. */
  async #actOn(held: Held): Promise<boolean> {
    try {
      const isRenewed = this.#isRefused(held.answer) && (await this.#renew());
      if (!(await this.#canSendAgain())) return false;
      if (isRenewed || this.#follow(held.answer)) return true;
      return this.#retries.isWanted(held.answer) && (await this.#waitForNextTry(held));
    } catch (error) {
      held.discard();
      throw error;
    }
  }

  async #canSendAgain(): Promise<boolean> {
    if (this.#upload === undefined) return true;
    const replay = await this.#upload.replay();
    if (replay === undefined) return false;
    this.#body = replay;
    return true;
  }

  #isRefused({ status }: Answer): boolean {
    return status === 401 && !this.#renewed && this.#upstream.isRefreshable;
  }

  /** Once: a provider that refuses fresh credentials too has another reason. */
  async #renew(): Promise<boolean> {
    this.#renewed = true;
    const way = await this.#input.renew(this.#upstream.connection);
    if (way !== undefined) this.#take(way);
    return way !== undefined;
  }

  #redirectOf(answer: Answer): Target | undefined {
    if (this.#redirects >= MAX_REDIRECTS) return undefined;
    return followedRedirect(this.#input.request.method, answer, { asked: this.#target, added: this.#upstream.addedQuery });
  }

  #follow(answer: Answer): boolean {
    const next = this.#redirectOf(answer);
    if (next === undefined) return false;
    this.#redirects += 1;
    this.#target = next;
    return true;
  }

  async #waitForNextTry(held: Held | undefined): Promise<boolean> {
    const waitMs = this.#retries.take(held?.answer);
    if (waitMs === undefined) return false;
    held?.discard();
    await waitFor(waitMs, this.#input.response);
    // The wait may have been long enough for the credentials to change.
    this.#take(await this.#input.reread());
    return true;
  }

  #take({ upstream, target }: Way): void {
    this.#upstream = upstream;
    this.#target = target;
  }
}
