import { expect } from 'chai';
import { type HookContext, type JsonObject, PluginError } from '#contract';

/** Events for which an app may register webhooks. */
export const DYNAMIC_EVENTS = [
  'tracker:issue_created',
  'tracker:issue_updated',
  'tracker:issue_deleted',
  'comment_created',
  'sprint_started',
  'tracker:version_released',
];

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly authorization: string | null;
}

/** Creates a hook context whose `fetch` returns the prepared responses in order and records the calls. */
export function contextOf(
  responses: readonly Response[],
  facts: { config?: JsonObject; connection?: JsonObject; subscription?: JsonObject } = {},
) {
  const calls: Call[] = [];
  const left = [...responses];
  const ctx: HookContext = {
    connection: {
      connectionId: 'c',
      integrationId: 'tracker',
      provider: 'issue-tracker',
      connectionConfig: facts.connection ?? {},
      metadata: {},
      tags: {},
    },
    integrationConfig: {
      api_base_url: 'https://api.tracker.example/',
      sites_url: 'https://api.tracker.example/sites',
      webhook_events: DYNAMIC_EVENTS.join(','),
      ...facts.config,
    },
    tokens: { accessToken: 'token', raw: {} },
    subscription: facts.subscription ?? {},
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const text = await request.text();
      const body = text === '' ? undefined : JSON.parse(text);
      calls.push({ method: request.method, url: request.url, body, authorization: request.headers.get('authorization') });
      return left.shift() ?? expect.fail('one call too many');
    },
    signal: AbortSignal.timeout(1_000),
    log: () => undefined,
  };
  return { ctx, calls };
}

export async function refusalOf(work: Promise<unknown>): Promise<PluginError> {
  const error: unknown = await work.then(
    () => expect.fail('it was not refused'),
    (cause: unknown) => cause,
  );
  return error instanceof PluginError ? error : expect.fail(`not a PluginError: ${String(error)}`);
}
