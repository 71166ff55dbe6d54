import type { IncomingWebhook, WebhookReply } from '#contract';
import type { HandshakeAnswer } from '../catalogue/webhooks/handshakes.ts';
import { keepHandshakeSecret } from '../connections/handshake-secret-store.ts';
import { noteAddressCheck } from '../connections/integrations/address-check-store.ts';
import { webhookSecretsOf } from '../connections/integrations/webhook-secrets.ts';
import { ServiceError } from '../errors.ts';
import { askPlugin } from './ask-plugin.ts';
import { checkTag } from './check-tag.ts';
import type { WebhookIngressDeps } from './deps.ts';
import type { Receiver } from './receivers.ts';

/**
 * Returns the answer to a handshake, by which a provider checks the URL or hands over a signing secret; undefined when the
 * request is none. At this point nothing about the request has been verified.
 */
export function findAnswer(deps: WebhookIngressDeps, receiver: Receiver, webhook: IncomingWebhook): HandshakeAnswer | undefined {
  const { handshakes, rules, integration } = receiver;
  const secrets = handshakes.length === 0 ? [] : webhookSecretsOf(deps, integration);
  for (const handshake of handshakes) {
    const answer = handshake(webhook, secrets);
    if (answer !== undefined) return answer;
  }
  const run = () => rules.handshake?.(webhook);
  const reply = askPlugin(deps, receiver, { rule: 'handshake', run, fallback: undefined });
  return reply && { reply, isProven: false };
}

/**
 * Stores the handshake's secret, if any, and returns the reply.
 *
 * @throws ServiceError `webhook_missing_signature` for a secret that no connection at this URL expects,
 *   `webhook_invalid_signature` if the URL has a wrong tag
 */
export async function giveAnswer(
  deps: WebhookIngressDeps,
  receiver: Receiver,
  { webhook, answer }: { readonly webhook: IncomingWebhook; readonly answer: HandshakeAnswer },
): Promise<WebhookReply> {
  if (answer.secret !== undefined) await keep(deps, receiver, { webhook, secret: answer.secret });
  await noteAddressCheck(deps.db, receiver.integration, answer.isProven);
  return answer.reply;
}

/**
 * Stores a secret only for a connection that expects one: anybody who could have a secret stored could sign forged deliveries
 * with it.
 */
async function keep(
  deps: WebhookIngressDeps,
  receiver: Receiver,
  { webhook, secret }: { readonly webhook: IncomingWebhook; readonly secret: string },
): Promise<void> {
  const { id: integrationId, environmentId } = receiver.integration;
  const connectionId = await checkTag(deps, receiver, webhook);
  const isKept =
    connectionId !== undefined && (await keepHandshakeSecret(deps, { environmentId, integrationId, connectionId }, secret));
  if (isKept) return;
  const message = 'a secret is accepted only at the webhook URL of a connection while its webhooks are being registered';
  throw new ServiceError('webhook_missing_signature', message);
}
