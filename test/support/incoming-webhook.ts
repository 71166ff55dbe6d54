import type { IncomingWebhook } from '#contract';
import { jsonPart, readPayload, textOf } from '../../core/webhook-ingress/payload.ts';

const ADDRESS = 'https://svc.example/webhook/0c5f0e2a-5a0e-4f5e-9b0e-0d6b7a3c9d11/any';

interface WebhookParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly url?: string;
}

/** Returns a delivery as a plugin sees it, with defaults for the parts that a test leaves out. */
export function incomingWebhook({ headers = {}, query = {}, body = '', url = ADDRESS }: WebhookParts): IncomingWebhook {
  const rawBody = Buffer.from(body);
  const contentType = headers['content-type'] ?? '';
  const text = textOf(rawBody, contentType);
  const { payload } = readPayload(rawBody, text, text && jsonPart(text, contentType));
  return { method: 'POST', url, headers, query, rawBody, payload };
}

/** Returns a delivery with a JSON body. */
export function incomingJson(payload: unknown, headers: Readonly<Record<string, string>> = {}): IncomingWebhook {
  return incomingWebhook({ headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(payload) });
}

export { ADDRESS as INCOMING_ADDRESS };

/** JSON payloads in which the fields that plugins read are missing or have an unexpected type. */
export const STRANGE_PAYLOADS: readonly unknown[] = [
  null,
  true,
  1,
  'text',
  [],
  [[]],
  {},
  { event: null, repository: null, project: null, team: null, account: {} },
  { type: {}, event: [], created_by: 1.5, organizationId: [], portalId: {} },
  { repository: { owner: [] }, installation: 'x', project: { path_with_namespace: 7 }, authorizations: [null] },
];
