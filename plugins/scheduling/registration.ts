import { type HookContext, type JsonObject, PluginError, type SubscriptionTarget, textAt } from '#contract';
import { CONNECTION_ID } from './events.ts';

/**
 * The fields of an event that the provider is to send along with the connection ID. The provider replaces the names in braces
 * with values.
 */
const TEMPLATE = {
  triggerEvent: '{{triggerEvent}}',
  createdAt: '{{createdAt}}',
  payload: {
    uid: '{{uid}}',
    type: '{{type}}',
    title: '{{title}}',
    startTime: '{{startTime}}',
    endTime: '{{endTime}}',
    location: '{{location}}',
  },
} as const;

/** Creates one webhook for this connection. @returns `{}` if the integration names no triggers */
export async function createWebhook(ctx: HookContext, target: SubscriptionTarget): Promise<JsonObject> {
  const triggers = listOf(ctx.integrationConfig['triggers']);
  if (triggers.length === 0) return {};
  const payloadTemplate = templateFor(ctx);
  const response = await call(ctx, 'POST /webhooks', {
    active: true,
    subscriberUrl: target.url,
    triggers,
    ...(target.secret !== undefined && { secret: target.secret }),
    ...(payloadTemplate !== undefined && { payloadTemplate }),
  });
  checkResponse(response);
  const id = textAt(await response.json().catch(() => null), 'data.id');
  if (id === undefined) throw new PluginError('provider_unavailable', 'the provider did not say which webhook it created');
  return { id };
}

export async function deleteWebhook(ctx: HookContext): Promise<void> {
  const id = textAt(ctx.subscription, 'id');
  if (id === undefined) return;
  const response = await call(ctx, `DELETE /webhooks/${encodeURIComponent(id)}`);
  if (response.status !== 404) checkResponse(response);
}

/**
 * Returns the payload template, or undefined if the integration asks for the provider's default payload or if the provider would
 * read part of the connection ID as a template.
 */
function templateFor({ integrationConfig, connection: { connectionId } }: HookContext): string | undefined {
  if (integrationConfig['payload_template'] === 'none' || connectionId.includes('{{')) return undefined;
  return JSON.stringify({ [CONNECTION_ID]: connectionId, ...TEMPLATE });
}

/** @param endpoint method and path below the API's base URL */
function call(ctx: HookContext, endpoint: `${'POST' | 'DELETE'} /${string}`, body?: JsonObject): Promise<Response> {
  const [method = '', path = ''] = endpoint.split(' ', 2);
  const base = String(ctx.integrationConfig['api_base_url'] ?? '').replace(/(?<!\/)\/+$/, '');
  return ctx.fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${ctx.tokens.accessToken}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Throws on an error response. The message contains no text of the provider. */
function checkResponse({ ok, status }: Response): void {
  if (ok) return;
  if (status === 401 || status === 403)
    throw new PluginError(
      'invalid_credentials',
      `the provider refuses calls about webhooks (${status}): the token is over or lacks a scope; the user must authorize again`,
    );
  if (status === 408 || status === 429 || status >= 500)
    throw new PluginError('provider_unavailable', `the provider responded with ${status} to the registration of a webhook`);
  throw new PluginError('invalid_connection_config', `the provider refuses this registration of a webhook (${status})`);
}

function listOf(value: JsonObject[string] | undefined): readonly string[] {
  if (typeof value !== 'string') return [];
  const names = value.split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}
