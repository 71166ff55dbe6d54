import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type QueryValues } from './address.ts';
import { Deadline } from './deadline.ts';
import { errorOf, SvcError } from './errors.ts';
import type { Answer, Body, OperationId } from './operation-types.ts';
import { OPERATIONS } from './operations.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_RETRIES = 2;
/** A caller who has to wait longer decides that for itself. */
const MAX_WAIT_SECONDS = 30;
const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];
/** After a connection was lost; doubled with each repetition. */
const FIRST_WAIT_MS = 200;

/** Where the service is, who is calling, and how patient. */
export interface SvcOptions {
  /** The public address of the service, e.g. `https://svc.example.com`. */
  readonly baseUrl: string;
  /** Of an environment; environments and their keys are made with an account key. */
  readonly apiKey: string;
  /** For one call with its repetitions; default 60,000. */
  readonly timeoutMs?: number;
  /**
   * How often a call that may be repeated is, when the connection is lost or the service asks for it with `Retry-After`; default
   * 2. That is GET, PUT, DELETE, and each POST that makes something, which carries an `Idempotency-Key`.
   */
  readonly maxRetries?: number;
  /** In place of the global one, e.g. with an agent of your own. */
  readonly fetch?: typeof fetch;
}

/** What one call may set for itself. */
export interface CallOptions {
  /** Ends the call; its promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** In place of that of the client. */
  readonly timeoutMs?: number;
  /**
   * For calls that make something, in place of a generated one. Within 24 hours a repetition with the same key, from any process,
   * makes nothing again and gets the same answer.
   */
  readonly idempotencyKey?: string;
}

interface Call<O extends OperationId> extends CallOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: QueryValues | undefined;
  readonly body?: Body<O>;
}

/** As the types say: the service's own tests hold each of its answers against the description that the types are made of. */
type Believed = ReturnType<typeof JSON.parse>;

interface Answered<T> {
  readonly answer: T;
  readonly headers: Headers;
}

/** The one way of this client to the service. */
export class Caller {
  readonly #options: SvcOptions;
  readonly #baseUrl: string;

  /** @throws TypeError when the address or the key is missing */
  constructor(options: SvcOptions) {
    this.#options = options;
    this.#baseUrl = baseUrlOf(options);
    checkKey(options);
  }

  /** Calls an operation that takes and answers JSON. @throws SvcError */
  async call<O extends OperationId>(operation: O, call: Call<O>): Promise<Answer<O>> {
    const { answer } = await this.callWithHeaders(operation, call);
    return answer;
  }

  /** The same, for answers whose headers say something. @throws SvcError */
  async callWithHeaders<O extends OperationId>(
    operation: O,
    { path = {}, query = {}, body, ...options }: Call<O>,
  ): Promise<Answered<Answer<O>>> {
    const { method, path: template, takesKey } = OPERATIONS[operation];
    const address = addressOf(template, path, query);
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(takesKey && { 'idempotency-key': options.idempotencyKey ?? randomUUID() }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const deadline = new Deadline(this.timeoutOf(options), options.signal);
    try {
      const mayRepeat = takesKey || IDEMPOTENT.includes(method);
      return await this.#repeated(address, init, { deadline, mayRepeat });
    } catch (cause) {
      throw deadline.explain(cause);
    } finally {
      deadline.end();
    }
  }

  timeoutOf({ timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS }: CallOptions): number {
    return timeoutMs;
  }

  /** One request with the key; redirects are answers like others. @param address path and query */
  send(address: string, init: RequestInit, { signal }: Deadline): Promise<Response> {
    const { apiKey, fetch: send = fetch } = this.#options;
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    return send(`${this.#baseUrl}${address}`, { ...init, headers, redirect: 'manual', signal });
  }

  async #repeated(
    address: string,
    init: RequestInit,
    { deadline, mayRepeat }: { readonly deadline: Deadline; readonly mayRepeat: boolean },
  ): Promise<Answered<Believed>> {
    const triesLeft = mayRepeat ? (this.#options.maxRetries ?? DEFAULT_MAX_RETRIES) : 0;
    for (let repetition = 0; ; repetition += 1) {
      try {
        const response = await this.send(address, init, deadline);
        if (response.ok) return { answer: await answerOf(response), headers: response.headers };
        throw await errorOf(response);
      } catch (error) {
        const waitMs = error instanceof SvcError ? waitOf(error) : FIRST_WAIT_MS * 2 ** repetition;
        const isOver = deadline.signal.aborted || waitMs === undefined || waitMs > deadline.leftMs();
        if (repetition === triesLeft || isOver) throw error;
        await sleep(waitMs, undefined, { signal: deadline.signal });
      }
    }
  }
}

function baseUrlOf({ baseUrl }: SvcOptions): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href.replace(/\/$/, '');
  throw new TypeError(`baseUrl must be the address of the service, such as https://svc.example.com; it is ${shown(baseUrl)}`);
}

/** From programs without types both come as they are in the environment. */
function checkKey({ apiKey }: { readonly apiKey: unknown }): void {
  if (typeof apiKey === 'string' && apiKey !== '') return;
  throw new TypeError(`apiKey must be an API key of the service (svc_sk_…) or an account key (svc_ak_…); it is ${shown(apiKey)}`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

async function answerOf(response: Response): Promise<Believed> {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new SvcError('unexpected_answer', 'the answer is not JSON', { status: response.status, cause });
  }
}

/** Undefined: trying again makes no sense, or not so soon. */
function waitOf({ status, retryAfterSeconds }: SvcError): number | undefined {
  const asked = (status === 429 || status === 503) && retryAfterSeconds !== undefined && retryAfterSeconds <= MAX_WAIT_SECONDS;
  return asked ? retryAfterSeconds * 1000 : undefined;
}
