import type { Api } from '../../../ui/connect/flow/api.ts';
import { ConnectWindow } from '../../../ui/connect/flow/connect-window.ts';
import type { Message, Popup, Ports } from '../../../ui/connect/flow/ports.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { faultsIn, payloadOf } from '../../../ui/kit/fields/form-rules.ts';
import type { ConnectForm, Flow, Integration, NewFlow, Session } from '../../../ui/kit/wire.ts';

export function integration(key: string, part: Partial<Integration> = {}): Integration {
  return { unique_key: key, display_name: key, provider: key, logo_url: '', categories: [], way: 'sign_in', ...part };
}

export function session(integrations: readonly Integration[], part: Partial<Session> = {}): Session {
  return {
    endUser: null,
    expires_at: '2026-01-01T00:30:00.000Z',
    integrations,
    brand: { name: 'Northwind', logo_url: null, color: null, radius: null, theme: 'system', language: null },
    return_url: null,
    reconnect: null,
    is_production: true,
    ...part,
  };
}

export function form(key: string, part: Partial<ConnectForm> = {}): ConnectForm {
  return {
    unique_key: key,
    display_name: key,
    logo_url: '',
    way: 'sign_in',
    sign_in_host: null,
    guide_url: null,
    scopes: [],
    fields: [],
    is_reconnect: false,
    callback_url: null,
    ...part,
  };
}

export function flow(part: Partial<Flow>): Flow {
  return {
    id: 'flow',
    integration_id: 'desk',
    state: 'created',
    version: 1,
    error: null,
    account: null,
    options: [],
    is_limited: false,
    ...part,
  };
}

export function expired(): ApiError {
  return new ApiError('session_expired', { status: 401 });
}

/** Returns the state of a flow that has failed. */
export function failed(code: string, part: object = {}): Partial<Flow> {
  return { state: 'failed', error: { code, message: null, fields: [], log_id: 'log-1', retry_after: null, ...part } };
}

interface Timer {
  readonly ms: number;
  readonly end: () => void;
}

/** A connect window whose browser, page and service are simulated. */
export class FakeWindow {
  readonly messages: Message[] = [];
  readonly opened: string[] = [];
  readonly left: string[] = [];
  readonly created: NewFlow[] = [];
  readonly cancelled: string[] = [];
  readonly chosen: string[] = [];
  readonly journeys: unknown[] = [];
  readonly timers: Timer[] = [];
  forgets = 0;
  renewals = 0;
  canRenew = false;
  now = new Date('2026-01-01T00:00:00.000Z');
  popup: Popup | null = { closed: false, focus: () => {}, close: () => {} };
  session: () => Promise<Session> = async () => session([integration('desk')]);
  form: (key: string) => Promise<ConnectForm> = async (key) => form(key);
  answer: (flow: NewFlow) => Promise<Flow> = async ({ id }) => flow({ id });
  /** The service's response to the user's choice of an option. */
  answerChoice: () => Promise<void> = async () => {};
  /** The flow as the service returns it, for tests of a flow that this window did not begin or that has changed unnoticed. */
  flowNow: Flow | undefined;
  /** Errors with which the next requests for the flow and its events fail, one each. */
  readonly outages: Error[] = [];
  /** The languages that the window loaded; null is the browser's language. */
  readonly spoken: (string | null)[] = [];
  #version = 1;
  #send: ((flow: Flow) => void) | undefined;
  readonly window: ConnectWindow;

  constructor(part: Partial<Pick<Ports, 'mode' | 'wanted'>> = {}) {
    this.window = new ConnectWindow({
      api: this.#api(),
      mode: 'frame',
      base: 'https://svc.example/',
      rules: () => ({ faultsIn, payloadOf }),
      wanted: null,
      now: () => this.now,
      online: async () => {},
      speak: async (language) => void this.spoken.push(language),
      pause: (ms, signal) => this.#pause(ms, signal),
      openWindow: (url) => {
        this.opened.push(url);
        return this.popup;
      },
      leave: (url) => this.left.push(url),
      post: (message) => this.messages.push(message),
      renew: async () => {
        this.renewals += 1;
        return this.canRenew;
      },
      keepJourney: (journey) => this.journeys.push(journey),
      forget: () => {
        this.forgets += 1;
      },
      ...part,
    });
  }

  get at(): string {
    return this.window.state.screen.at;
  }

  get types(): string[] {
    return this.messages.map(({ type }) => type);
  }

  /** Waits until all code has run that waits only for promises, not for a timer. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Sends the window an event of the flow that was created last. */
  async tell(part: Partial<Flow>): Promise<void> {
    await this.settle();
    const id = this.created.at(-1)?.id ?? 'flow';
    this.#version += 1;
    this.#send?.(flow({ id, version: this.#version, ...part }));
    await this.settle();
  }

  async elapse(ms: number): Promise<void> {
    await this.settle();
    for (const timer of this.timers.splice(0)) {
      if (timer.ms <= ms) timer.end();
      else this.timers.push(timer);
    }
    await this.settle();
  }

  #stream(present: Flow, after: number): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => {
        const encoder = new TextEncoder();
        this.#send = (next) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(next)}\n\n`));
        if (present.version !== after) this.#send(present);
      },
    });
  }

  #orFail<T>(answer: T): T {
    const outage = this.outages.shift();
    if (outage !== undefined) throw outage;
    return answer;
  }

  #pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      this.timers.push({ ms, end: resolve });
    });
  }

  #api(): Api {
    return {
      session: () => this.session(),
      form: (key) => this.form(key),
      createFlow: async (wanted) => {
        this.created.push(wanted);
        return this.answer(wanted);
      },
      flow: async (id) => this.#orFail(this.flowNow ?? flow({ id })),
      events: async (id, after) => this.#orFail(this.#stream(this.flowNow ?? flow({ id }), after)),
      cancel: async (id) => void this.cancelled.push(id),
      choose: async (_, option) => {
        this.chosen.push(option);
        await this.answerChoice();
      },
    };
  }
}

/** Returns a window that shows the first screen for its only integration. */
export async function started(part: ConstructorParameters<typeof FakeWindow>[0] = {}, key = form('desk')): Promise<FakeWindow> {
  const fake = new FakeWindow(part);
  fake.form = async () => key;
  await fake.window.load();
  return fake;
}
