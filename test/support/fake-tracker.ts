import { systemClock } from '../../core/kit/clock.ts';
import { mustBe, type Service } from './connect.ts';
import { jsonResponse } from './fake-provider/echo.ts';
import { FakeProvider, HONEST } from './fake-provider/fake-provider.ts';
import { mayCall } from './fake-provider/presented-token.ts';
import type { ScriptedResponse } from './scripted-server/behaviour.ts';
import type { LedgerEntry } from './scripted-server/ledger.ts';
import type { Exchange } from './scripted-server/scripted-server.ts';

const WEBHOOK = '/rest/api/3/webhook';

interface WantedWebhook {
  readonly events: readonly string[];
  readonly jqlFilter?: string;
}

interface Registered extends WantedWebhook {
  readonly url: string;
  /** The number of times that the webhook's lifetime was extended. */
  readonly renewals: number;
}

interface WebhookCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly entry: LedgerEntry;
}

/** A fake of the issue tracker: an OAuth server, sites, and dynamic webhooks, which it refuses unless `hasScopes` is true. */
export class FakeTracker extends FakeProvider {
  sites: readonly unknown[] = [{ id: 'site-1', url: 'https://acme.tracker.example/start' }];
  hasScopes = true;
  readonly registered = new Map<number, Registered>();
  #lastId = 1_000;

  static async start(): Promise<FakeTracker> {
    const tracker = new FakeTracker({ ...HONEST }, systemClock);
    await tracker.listen();
    return tracker;
  }

  /** The calls to the webhook endpoints, in order of arrival. */
  get calls(): readonly WebhookCall[] {
    return this.ledger
      .of('api')
      .filter(({ target }) => target.startsWith(WEBHOOK))
      .map((entry) => ({ method: entry.method, path: entry.target, body: JSON.parse(String(entry.body)), entry }));
  }

  protected override async work(exchange: Exchange): Promise<ScriptedResponse | undefined> {
    const { url, entry } = exchange;
    if (url.pathname !== '/sites' && !url.pathname.startsWith(WEBHOOK)) return super.work(exchange);
    if (!mayCall(this, entry)) return jsonResponse(401, { code: 401, message: 'Unauthorized' });
    if (url.pathname === '/sites') return jsonResponse(200, this.sites);
    // The real tracker responds with exactly this if the token lacks a scope.
    if (!this.hasScopes) return jsonResponse(401, { code: 401, message: 'Unauthorized; scope does not match' });
    return this.#webhook(entry);
  }

  #webhook({ method, target, body }: LedgerEntry): ScriptedResponse {
    const asked = JSON.parse(String(body));
    if (method === 'POST') return this.#register(asked);
    const ids: readonly number[] = asked.webhookIds;
    if (method === 'DELETE') {
      for (const id of ids) this.registered.delete(id);
      return { status: 202 };
    }
    if (target !== `${WEBHOOK}/refresh`) return jsonResponse(404, {});
    const known = ids.filter((id) => this.registered.has(id));
    for (const id of known) this.#renew(id);
    return known.length === 0 ? jsonResponse(404, {}) : jsonResponse(200, { expirationDate: '2026-06-01T12:42:30.000+0000' });
  }

  #register({ url, webhooks }: { readonly url: string; readonly webhooks: readonly WantedWebhook[] }): ScriptedResponse {
    const results = webhooks.map((webhook) => {
      this.#lastId += 1;
      this.registered.set(this.#lastId, { url, renewals: 0, ...webhook });
      return { createdWebhookId: this.#lastId };
    });
    return jsonResponse(200, { webhookRegistrationResult: results });
  }

  #renew(id: number): void {
    const known = this.registered.get(id);
    if (known !== undefined) this.registered.set(id, { ...known, renewals: known.renewals + 1 });
  }
}

interface TrackerOptions {
  readonly key?: string;
  readonly events?: string;
  readonly filter?: string;
  readonly webhookSecret?: string;
}

/** Creates an integration of the provider `issue-tracker` that uses this tracker. @returns its key */
export async function createTracker(
  { api }: Pick<Service, 'api'>,
  tracker: FakeTracker,
  { key = 'tracker', events = '', filter = '', webhookSecret }: TrackerOptions = {},
): Promise<string> {
  const response = await api.post('/integrations', {
    unique_key: key,
    provider: 'issue-tracker',
    credentials: {
      type: 'OAUTH2',
      client_id: tracker.clientId,
      client_secret: tracker.clientSecret,
      scopes: 'read:tracker-work,manage:tracker-webhook',
      ...(webhookSecret !== undefined && { webhook_secret: webhookSecret }),
    },
    integration_config: {
      authorization_url: tracker.authorizationUrl,
      token_url: tracker.tokenUrl,
      api_base_url: tracker.url,
      sites_url: `${tracker.url}/sites`,
      webhook_events: events,
      webhook_filter: filter,
    },
  });
  mustBe(200, response);
  return key;
}
