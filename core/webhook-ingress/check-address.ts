import type { WebhookReply } from '#contract';
import { noteAddressCheck } from '../connections/integrations/address-check-store.ts';
import { findAnswer, giveAnswer } from './handshake.ts';
import { type ArrivedRequest, readIncoming } from './incoming.ts';
import type { WebhookIngress } from './open-ingress.ts';
import type { ReceiverAddress } from './receivers.ts';

const PRESENT: WebhookReply = { status: 200, body: '{"status":"success"}' };
const ORIGIN = /^[\x21-\x7e]{1,1024}$/;

/**
 * Responds to GET, HEAD and OPTIONS, with which providers check an address before they send deliveries to it.
 *
 * @throws ServiceError `not_found` if the address belongs to no integration
 */
export async function checkAddress(
  deps: WebhookIngress,
  address: ReceiverAddress,
  request: ArrivedRequest,
): Promise<WebhookReply> {
  const receiver = await deps.receivers.require(address);
  const { method, headers } = request;
  if (method === 'GET') {
    const readBody = async () => ({ bytes: Buffer.alloc(0) });
    const { webhook } = await readIncoming({ ...request, readBody }, { baseUrl: deps.baseUrl });
    const answer = findAnswer(deps, receiver, webhook);
    if (answer !== undefined) return giveAnswer(deps, receiver, { webhook, answer });
  }
  await noteAddressCheck(deps.db, receiver.integration, false);
  return method === 'OPTIONS' ? permission(headers['webhook-request-origin']) : PRESENT;
}

/**
 * Permits deliveries at any rate, in the way that "Abuse protection" of CloudEvents prescribes (HTTP 1.1 Web Hooks for Event
 * Delivery 1.0.2, §4).
 */
function permission(origin: string | undefined): WebhookReply {
  const allow = { allow: 'GET, HEAD, OPTIONS, POST' };
  if (origin === undefined || !ORIGIN.test(origin)) return { status: 204, headers: allow, body: '' };
  const headers = { ...allow, 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' };
  return { status: 200, headers, body: '' };
}
