import { systemClock } from '../../core/kit/clock.ts';
import { jsonResponse } from './fake-provider/echo.ts';
import { HONEST } from './fake-provider/fake-provider.ts';
import { mayCall } from './fake-provider/presented-token.ts';
import { FakeTracker } from './fake-tracker.ts';
import type { ScriptedResponse } from './scripted-server/behaviour.ts';
import type { Exchange } from './scripted-server/scripted-server.ts';

const WEBHOOKS = '/rest/webhooks/1.0/webhook';
const ISSUES = '/rest/api/3/issue/';

/** A webhook as the request to create it describes it. */
export interface AdminWebhook {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
}

/** A fake of the issue tracker that also serves issues, and the webhooks of administrators, which do not expire. */
export class FakeAdminTracker extends FakeTracker {
  readonly adminWebhooks = new Map<string, AdminWebhook>();
  readonly summaries = new Map<string, string>();
  #newest = 70;

  static override async start(): Promise<FakeAdminTracker> {
    const tracker = new FakeAdminTracker({ ...HONEST }, systemClock);
    await tracker.listen();
    return tracker;
  }

  protected override async work(exchange: Exchange): Promise<ScriptedResponse | undefined> {
    const { url, entry } = exchange;
    const isIssue = url.pathname.startsWith(ISSUES);
    if (!isIssue && !url.pathname.startsWith(WEBHOOKS)) return super.work(exchange);
    if (!mayCall(this, entry)) return jsonResponse(401, { code: 401, message: 'Unauthorized' });
    if (isIssue) return this.#issue(url.pathname.slice(ISSUES.length));
    if (entry.method === 'POST') return this.#register(JSON.parse(String(entry.body)));
    return { status: this.adminWebhooks.delete(url.pathname.slice(WEBHOOKS.length + 1)) ? 204 : 404 };
  }

  #register({ name, url, events, secret }: AdminWebhook): ScriptedResponse {
    this.#newest += 1;
    this.adminWebhooks.set(String(this.#newest), { name, url, events, secret });
    return jsonResponse(201, { name, url, events, self: `${this.url}${WEBHOOKS}/${this.#newest}` });
  }

  #issue(key: string): ScriptedResponse {
    const summary = this.summaries.get(key);
    return summary === undefined ? jsonResponse(404, {}) : jsonResponse(200, { key, fields: { summary } });
  }
}
