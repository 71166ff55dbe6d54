import { type HookContext, type Json, type JsonObject, PluginError, type SubscriptionTarget } from '#contract';
import { type Settings, settingsOf } from './settings.ts';

/**
 * Matches events to which a filter applies; it has no effect on events of sprints, boards and the like. Names may begin with the
 * product, as in `tracker:`.
 */
const FILTERED = /^(?:[a-z]+:)?issue_/;
/** The lifetime of a webhook after its registration or last renewal. Source: interface document, "issue-tracker provider" 2. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** Paths below `/rest/api/3/webhook`, by HTTP method. */
const PATHS = { POST: '', PUT: '/refresh', DELETE: '' } as const;

/** Registers webhooks for the events in the setting `webhook_events`. @returns `{}` if the setting names none */
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

/**
 * Renews the registered webhooks.
 *
 * @returns `{}` if they no longer exist; expired ones count as lost without a call, because the provider ignores unknown IDs
 *   without an error
 */
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

/** Returns the webhooks to register: one for events to which the filter applies, and one for all others. */
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

/**
 * Throws on an error response. The message contains no text of the provider, and explains a missing scope because the provider's
 * own text does not help.
 */
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

/** Reads the result for each webhook to register: its ID, or why it was not registered. */
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
