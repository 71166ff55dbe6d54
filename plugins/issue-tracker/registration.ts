import { type HookContext, type Json, type JsonObject, PluginError, type SubscriptionTarget } from '#contract';
import { type Settings, settingsOf } from './settings.ts';

/** Events that a filter can choose from; sprints, boards and the like ignore it. Names begin with the product's: `tracker:`. */
const FILTERED = /^(?:[a-z]+:)?issue_/;
/** From the creation or the last renewal on. Source: interface document, "issue-tracker provider" 2. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** Below `/rest/api/3/webhook`. */
const PATHS = { POST: '', PUT: '/refresh', DELETE: '' } as const;

/** Registers what `webhook_events` names. @returns `{}` where it names nothing */
export async function registerWebhooks(ctx: HookContext, { url }: SubscriptionTarget): Promise<JsonObject> {
  const settings = settingsOf(ctx.integrationConfig);
  if (settings.events.length === 0) return {};
  const response = await call(ctx, 'POST', { url, webhooks: webhooksOf(settings) });
  checkResponse(response, settings);
  const results = await resultsOf(response);
  const ids = results.flatMap(idOf);
  if (ids.length === 0)
    throw new PluginError(
      'invalid_connection_config',
      'the provider registered none of the webhooks; look at webhook_events and webhook_filter of the integration',
    );
  if (ids.length < results.length) ctx.log('the provider registered only a part of the webhooks', { count: ids.length });
  return { webhookIds: ids, expiresAt: later() };
}

/** @returns `{}` when the provider has them no more: it would not say so, it ignores IDs that it does not know */
export async function renewWebhooks(ctx: HookContext): Promise<JsonObject> {
  const { webhookIds = [], expiresAt } = ctx.subscription;
  if (Date.parse(String(expiresAt)) <= Date.now()) return {};
  const response = await call(ctx, 'PUT', { webhookIds });
  if (response.status === 404) return {};
  checkResponse(response, settingsOf(ctx.integrationConfig));
  return { webhookIds, expiresAt: later() };
}

export async function removeWebhooks(ctx: HookContext): Promise<void> {
  const response = await call(ctx, 'DELETE', { webhookIds: ctx.subscription['webhookIds'] ?? [] });
  if (response.status !== 404) checkResponse(response, settingsOf(ctx.integrationConfig));
}

/** Events with a filter and those without it are registered apart. */
function webhooksOf({ events, filter, filtersAll }: Settings): JsonObject[] {
  if (filter === undefined) return [{ events }];
  const filtered = events.filter((event) => filtersAll || FILTERED.test(event));
  const others = events.filter((event) => !filtered.includes(event));
  return [
    ...(filtered.length > 0 ? [{ events: filtered, jqlFilter: filter }] : []),
    ...(others.length > 0 ? [{ events: others }] : []),
  ];
}

function call(ctx: HookContext, method: keyof typeof PATHS, body: JsonObject): Promise<Response> {
  const { apiBaseUrl = '' } = settingsOf(ctx.integrationConfig);
  const cloudId = ctx.connection.connectionConfig['cloudId'];
  const base = apiBaseUrl.replace('{cloudId}', encodeURIComponent(typeof cloudId === 'string' ? cloudId : ''));
  return ctx.fetch(`${base.replace(/(?<!\/)\/+$/, '')}/rest/api/3/webhook${PATHS[method]}`, {
    method,
    headers: {
      authorization: `Bearer ${ctx.tokens.accessToken}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
}

/** Nothing that the provider wrote is repeated; a missing scope is explained, since its own words do not help. */
function checkResponse({ ok, status }: Response, { scopes }: Settings): void {
  if (ok) return;
  if (status === 401 || status === 403) {
    throw new PluginError(
      'invalid_credentials',
      `the provider refuses calls about webhooks (${status}): the token lacks a scope. Add both ${scopes.join(' and ')} to the ` +
        'scopes of the integration and have the user authorize again; scopes apply only to authorizations made afterwards.',
    );
  }
  if (status === 408 || status === 429 || status >= 500)
    throw new PluginError('provider_unavailable', `the provider responded with ${status} to the registration of webhooks`);
  throw new PluginError('invalid_connection_config', `the provider refuses this registration of webhooks (${status})`);
}

/** One for each webhook: the ID that it got, or why it got none. */
async function resultsOf(response: Response): Promise<readonly Json[]> {
  const body = (await response.json().catch(() => null)) as Json;
  const results = memberOf(body, 'webhookRegistrationResult');
  return Array.isArray(results) ? results : [];
}

function idOf(result: Json): (string | number)[] {
  const id = memberOf(result, 'createdWebhookId');
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? [id] : [];
}

function memberOf(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

function later(): string {
  return new Date(Date.now() + LIFETIME_MS).toISOString();
}
