import { type AppOptions, startApp, type TestApp } from './app.ts';
import {
  createHook,
  firstEnvironmentUuid,
  type Hook,
  hookSender,
  makeHooked,
  matchAll,
  type Sending,
  type WaitingForward,
} from './hooked.ts';
import type { ClientResponse } from './http-client.ts';
import { storeConnection } from './stored.ts';
import { enableWebhooks } from './stored-webhooks.ts';

/**
 * A service with two integrations of the provider `hooked`. Webhooks to the application stay in the queue, where tests can read
 * them.
 */
export class HookedApp implements AsyncDisposable {
  readonly app: TestApp;
  readonly uuid: string;
  readonly hook: Hook;
  /** The webhook URL of the second integration, which has no webhook secret and so accepts unsigned deliveries. */
  readonly open: Hook;
  readonly #opened: AsyncDisposableStack;
  #serial = 0;

  private constructor(given: { app: TestApp; uuid: string; hook: Hook; open: Hook; opened: AsyncDisposableStack }) {
    this.app = given.app;
    this.uuid = given.uuid;
    this.hook = given.hook;
    this.open = given.open;
    this.#opened = given.opened;
  }

  static async open({ env = {}, ...options }: AppOptions = {}): Promise<HookedApp> {
    await using opened = new AsyncDisposableStack();
    const hooked = opened.use(await makeHooked());
    const app = opened.use(
      await startApp({ ...options, env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0', ...hooked.env, ...env } }),
    );
    const uuid = await firstEnvironmentUuid(app);
    const hook = await createHook(app.api, uuid);
    const open = await createHook(app.api, uuid, { key: 'open', signed: false });
    await enableWebhooks(app.services.db);
    return new HookedApp({ app, uuid, hook, open, opened: opened.move() });
  }

  /** The number of deliveries that `deliver` has sent. */
  get serial(): number {
    return this.#serial;
  }

  /** Sends a delivery whose body differs from all earlier ones, so that the service does not ignore it as a repetition. */
  deliver(body: Readonly<Record<string, unknown>> = {}, sending: Sending = {}, to: Hook = this.hook): Promise<ClientResponse> {
    this.#serial += 1;
    return hookSender(this.app.client(), to)({ serial: this.#serial, ...body }, sending);
  }

  /** Runs `work`. @returns the webhooks to the application that it has caused, the oldest first */
  async forwards(work: () => Promise<unknown>): Promise<WaitingForward[]> {
    const before = (await matchAll(this.app)).length;
    await work();
    return (await matchAll(this.app)).slice(before);
  }

  /** Stores a connection of an integration. @returns its ID */
  async store({ metadata = {}, config = {}, key = this.hook.key }: StoredFacts = {}): Promise<string> {
    const { connectionId } = await storeConnection(this.app, { key });
    const change = { metadata, connection_config: config };
    await this.app.services.db('connections').where({ connection_id: connectionId }).update(change);
    return connectionId;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

interface StoredFacts {
  readonly metadata?: object;
  readonly config?: object;
  readonly key?: string;
}
