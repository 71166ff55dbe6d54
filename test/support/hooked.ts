import { createHmac } from 'node:crypto';
import { environmentById } from '../../core/tenants/environments/environment-store.ts';
import { readContent } from '../../core/webhook-delivery/content.ts';
import { matchDeliveries } from '../../core/webhook-ingress/match-worker.ts';
import type { TestApp } from './app.ts';
import { canary } from './canaries.ts';
import { makeFolders } from './folders.ts';
import type { Client, ClientResponse } from './http-client.ts';
import { messageRows } from './message-rows.ts';

/** The plugin of the provider `hooked`. What it does with a delivery depends on the headers and the body that the test sends. */
const PLUGIN = `
import type { Json, ProviderPlugin, WebhookEvent } from '#contract';

type Parts = { [name: string]: never } & { keys?: never; agree?: boolean; type?: string };

function eventOf(parts: Parts): WebhookEvent {
  const { type, agree, keys = [] } = parts;
  return { ...(type && { type }), ...(agree && { mustAgree: true }), connections: keys, payload: parts };
}

function parts(payload: Json): Parts {
  return (typeof payload === 'object' && payload !== null ? payload : {}) as Parts;
}

export default {
  contract: 1,
  webhook: {
    signature: [
      {
        when: ({ headers }) => headers['x-hook-time'] !== undefined,
        scheme: 'hmac', algorithm: 'sha256', header: 'x-hook-signature', encoding: 'hex', prefix: 'sha256=',
        secret: { in: 'webhookSecret' }, withoutSecret: 'refuse',
        signedBytes: ({ headers, rawBody }) => headers['x-hook-time'] + '.' + Buffer.from(rawBody).toString(),
        timestamp: { toleranceSeconds: 300, read: ({ headers }) => new Date(headers['x-hook-time'] ?? '') },
      },
      {
        when: ({ headers }) => headers['x-hook-days'] !== undefined,
        scheme: 'hmac', algorithm: 'sha256', header: 'x-hook-signature', encoding: 'hex', prefix: 'sha256=',
        secret: { in: 'webhookSecret' }, withoutSecret: 'refuse',
        signedBytes: ({ headers, rawBody }) => headers['x-hook-days'] + '.' + Buffer.from(rawBody).toString(),
        timestamp: { toleranceSeconds: 172_800, read: ({ headers }) => new Date(headers['x-hook-days'] ?? '') },
      },
      {
        when: ({ headers }) => headers['x-hook-packed'] !== undefined,
        scheme: 'hmac', algorithm: 'sha256', header: 'x-hook-packed', encoding: 'hex', over: 'packed',
        secret: { in: 'webhookSecret' }, withoutSecret: 'refuse',
      },
      {
        when: ({ headers }) => headers['x-hook-own'] !== undefined,
        scheme: 'hmac', algorithm: 'sha256', header: 'x-hook-own', encoding: 'hex',
        secret: { in: 'connection', read: ({ metadata }) => metadata.hookSecret as string }, withoutSecret: 'refuse',
      },
      {
        when: ({ headers }) => headers['x-hook-token'] !== undefined,
        scheme: 'token', header: 'x-hook-token', secret: { in: 'webhookSecret' }, withoutSecret: 'refuse',
      },
      {
        scheme: 'hmac', algorithm: 'sha256', header: 'x-hook-signature', encoding: 'hex', prefix: 'sha256=',
        secret: { in: 'webhookSecret' }, withoutSecret: 'accept',
      },
    ],
    handshake: ({ payload }) => {
      const { challenge, broken } = parts(payload);
      if (broken === 'handshake') throw new Error('broken with ' + JSON.stringify(payload));
      return challenge && { status: 200, headers: { 'Content-Type': 'text/plain' }, body: String(challenge) };
    },
    events: ({ payload }) => {
      const { events, broken } = parts(payload);
      if (broken === 'events') throw new Error('broken with ' + JSON.stringify(payload));
      if (broken === 'no list') return 'events' as never;
      return Array.isArray(events) ? (events as Parts[]).map(eventOf) : [{ ...eventOf(parts(payload)), payload: undefined }];
    },
    deliveryId: ({ headers, payload }) => {
      if (parts(payload).broken === 'deliveryId') throw new Error('broken');
      return headers['x-hook-id'];
    },
    forwardHeaders: [
      'x-hook-event', 'x-hook-token', 'cookie', 'authorization', 'proxy-authorization', 'host', 'connection',
      'transfer-encoding', 'content-length', 'content-type', 'user-agent', 'x-forwarded-for', 'x-real-ip', 'forwarded',
      'webhook-id', 'webhook-signature', 'webhook-timestamp', 'svc-webhook-verified', 'x-svc-hmac-sha256', 'x-acme-hmac-sha256',
    ],
    reply: ({ payload }) => {
      const { reply, broken } = parts(payload);
      if (broken === 'reply') throw new Error('broken');
      return reply ? (reply as never) : { status: 200, body: '{"status":"success"}' };
    },
  },
} satisfies ProviderPlugin;
`;

const DEFINITION = { display_name: 'Hooked', docs: 'https://docs.example.com', auth_mode: 'OAUTH2' };
const ADDRESSES = { authorization_url: 'https://auth.example/authorize', token_url: 'https://auth.example/token' };

export const HOOKED_FILES: Readonly<Record<string, string>> = {
  'plugins/hooked/plugin.ts': PLUGIN,
  'plugins/hooked/provider.json': JSON.stringify({ ...DEFINITION, ...ADDRESSES }),
};

/** Creates a folder with the provider `hooked`; `env` sets `SVC_PLUGINS_DIR` to it. */
export async function makeHooked() {
  const folders = await makeFolders(HOOKED_FILES);
  return { ...folders, env: { SVC_PLUGINS_DIR: `${folders.path}/plugins` } };
}

/** The URL to which the provider `hooked` sends an integration's deliveries, and the secret with which it signs them. */
export interface Hook {
  /** The path of the URL, without a query. */
  readonly path: string;
  readonly key: string;
  /** The secret; undefined if deliveries are not signed. */
  readonly secret: string | undefined;
}

interface HookOptions {
  readonly key?: string;
  readonly signed?: boolean;
  readonly forward?: boolean;
}

/** Creates an integration of the provider `hooked`. */
export async function createHook(api: Client, environmentUuid: string, options: HookOptions = {}): Promise<Hook> {
  const { key = 'hook', signed = true, forward = true } = options;
  const secret = signed ? canary('webhook secret') : undefined;
  const response = await api.post('/integrations', {
    unique_key: key,
    provider: 'hooked',
    forward_webhooks: forward,
    credentials: { client_id: 'client', client_secret: canary('client secret'), ...(secret && { webhook_secret: secret }) },
  });
  if (response.status !== 200) throw new Error(`the integration was not created: ${response.text}`);
  return { path: `/webhook/${environmentUuid}/${key}`, key, secret };
}

export async function firstEnvironmentUuid({
  services,
  environmentId,
}: Pick<TestApp, 'services' | 'environmentId'>): Promise<string> {
  const environment = await environmentById(services.db, environmentId);
  if (environment === undefined) throw new Error('there is no first environment');
  return environment.uuid;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** The query, with its question mark. */
  readonly query?: string;
}

/**
 * Returns a function that sends deliveries and signs their bytes, as the provider does. Texts and bytes are sent unchanged,
 * everything else as JSON.
 */
export function hookSender(api: Client, hook: Hook): (body: unknown, sending?: Sending) => Promise<ClientResponse> {
  return (body, { headers = {}, query = '' } = {}) => {
    const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const type = bytes === body ? {} : { 'content-type': 'application/json' };
    return api.call('POST', hook.path + query, { headers: { ...type, ...signatureOf(hook, bytes), ...headers }, body: bytes });
  };
}

export function signatureOf({ secret }: Pick<Hook, 'secret'>, body: string | Uint8Array): Record<string, string> {
  return secret === undefined ? {} : { 'x-hook-signature': `sha256=${hmacHex(secret, body)}` };
}

export function hmacHex(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** A webhook that waits to be forwarded to the application. */
export interface WaitingForward {
  readonly connectionId: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  readonly body: any;
  /** The body as text, exactly as it will be sent. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Matches all waiting deliveries with connections. @returns all webhooks that wait to be forwarded, the oldest first */
export async function matchAll({ services }: Pick<TestApp, 'services'>): Promise<WaitingForward[]> {
  await matchDeliveries(services);
  const rows = await messageRows(services.db).where({ type: 'forward' });
  return rows.map((row) => {
    const { body, headers } = readContent(services.keys, row);
    return { connectionId: row.connection_id, body: JSON.parse(body), text: body, headers };
  });
}
