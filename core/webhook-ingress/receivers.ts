import type { WebhookRules } from '#contract';
import type { Handshake } from '../catalogue/webhooks/handshakes.ts';
import type { Integration } from '../connections/integrations/integration.ts';
import { INTEGRATION_TOPIC } from '../connections/integrations/integrations.ts';
import { ServiceError } from '../errors.ts';
import { LoadingCache } from '../kit/loading-cache.ts';
import { DEFAULT_RULES } from './default-rules.ts';
import type { WebhookIngressDeps } from './deps.ts';
import { integrationAt } from './receiver-store.ts';

/** How long a changed integration may remain unnoticed if notices do not arrive (behind a pooler in transaction mode). */
const CACHE_MS = 10_000;
/** Maximum number of cached receivers. They contain decrypted secrets, so no more are cached than are in use at the same time. */
const CACHE_ENTRIES = 2_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An integration that receives deliveries. A snapshot, replaced on each change. */
export interface Receiver {
  readonly environmentUuid: string;
  /** The key in the URL: the integration's current one, or one from before it was renamed. */
  readonly addressKey: string;
  readonly integration: Integration;
  readonly rules: WebhookRules;
  readonly handshakes: readonly Handshake[];
}

/** The parameters of a webhook URL. */
export interface ReceiverAddress {
  readonly environmentUuid: string;
  readonly uniqueKey: string;
}

/** Finds integrations by webhook URL, with a short-lived cache. */
export class Receivers implements Disposable {
  readonly #deps: WebhookIngressDeps;
  readonly #known: LoadingCache<string, Receiver>;
  readonly #unsubscribe: () => void;

  constructor(deps: WebhookIngressDeps) {
    this.#deps = deps;
    this.#known = new LoadingCache({ ttlMs: CACHE_MS, maxEntries: CACHE_ENTRIES, now: deps.now });
    // The whole cache is cleared: integrations rarely change, and notices identify environments differently than URLs.
    const forget = () => this.#known.clear();
    this.#unsubscribe = deps.notices.subscribe(INTEGRATION_TOPIC, forget, forget);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#known[Symbol.dispose]();
  }

  /**
   * Returns the receiver at a webhook URL.
   *
   * @throws ServiceError `not_found`, the same whether there is no such environment or no such integration
   */
  async require(address: ReceiverAddress): Promise<Receiver> {
    const { environmentUuid, uniqueKey } = address;
    const receiver = UUID.test(environmentUuid)
      ? await this.#known.get(`${environmentUuid.toLowerCase()}\n${uniqueKey}`, () => this.#load(address))
      : undefined;
    if (receiver === undefined) throw new ServiceError('not_found', 'there is nothing at this URL');
    return receiver;
  }

  async #load(address: ReceiverAddress): Promise<Receiver | undefined> {
    const integration = await integrationAt(this.#deps, address);
    if (integration === undefined) return undefined;
    const { plugins } = this.#deps;
    const rules = plugins.webhookRules(integration.provider) ?? DEFAULT_RULES;
    const handshakes = plugins.handshakes(integration.provider);
    const { environmentUuid, uniqueKey: addressKey } = address;
    return { environmentUuid: environmentUuid.toLowerCase(), addressKey, integration, rules, handshakes };
  }
}
