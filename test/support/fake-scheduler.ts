import { systemClock } from '../../core/kit/clock.ts';
import { mustBe, type Service } from './connect.ts';
import { jsonResponse } from './fake-provider/echo.ts';
import { FakeProvider, HONEST } from './fake-provider/fake-provider.ts';
import { mayCall } from './fake-provider/presented-token.ts';
import type { ScriptedResponse } from './scripted-server/behaviour.ts';
import type { Exchange } from './scripted-server/scripted-server.ts';

/** A webhook as the request to create it describes it. */
export interface SchedulerWebhook {
  readonly active: boolean;
  readonly subscriberUrl: string;
  readonly triggers: readonly string[];
  readonly secret?: string;
  readonly payloadTemplate?: string;
}

/** A fake of the scheduling provider: an OAuth server and a list of webhooks. */
export class FakeScheduler extends FakeProvider {
  readonly webhooks = new Map<string, SchedulerWebhook>();
  /** The webhook IDs in all requests to delete a webhook, in order. */
  readonly deleted: string[] = [];
  #count = 0;

  static async start(): Promise<FakeScheduler> {
    const scheduler = new FakeScheduler({ ...HONEST }, systemClock);
    await scheduler.listen();
    return scheduler;
  }

  protected override async work(exchange: Exchange): Promise<ScriptedResponse | undefined> {
    const { url, entry } = exchange;
    if (!url.pathname.startsWith('/webhooks')) return super.work(exchange);
    if (!mayCall(this, entry)) return { status: 401 };
    return entry.method === 'POST' ? this.#create(JSON.parse(String(entry.body))) : this.#delete(url.pathname.slice(10));
  }

  #create(wanted: SchedulerWebhook): ScriptedResponse {
    this.#count += 1;
    const id = `hook-${this.#count}`;
    this.webhooks.set(id, wanted);
    return jsonResponse(201, { status: 'success', data: { id, ...wanted } });
  }

  #delete(id: string): ScriptedResponse {
    this.deleted.push(id);
    return { status: this.webhooks.delete(id) ? 200 : 404 };
  }
}

interface SchedulerOptions {
  readonly key?: string;
  readonly triggers?: string;
  readonly webhookSecret?: string;
}

/** Creates an integration of the provider `scheduling` that uses this scheduler. @returns its key */
export async function createScheduler(
  { api }: Pick<Service, 'api'>,
  scheduler: FakeScheduler,
  { key = 'calendar', triggers = 'BOOKING_CREATED, BOOKING_CANCELLED', webhookSecret }: SchedulerOptions = {},
): Promise<string> {
  const response = await api.post('/integrations', {
    unique_key: key,
    provider: 'scheduling',
    credentials: {
      type: 'OAUTH2',
      client_id: scheduler.clientId,
      client_secret: scheduler.clientSecret,
      ...(webhookSecret !== undefined && { webhook_secret: webhookSecret }),
    },
    integration_config: {
      authorization_url: scheduler.authorizationUrl,
      token_url: scheduler.tokenUrl,
      api_base_url: scheduler.url,
      ...(triggers !== '' && { triggers }),
    },
  });
  mustBe(200, response);
  return key;
}
