import type { WebhookReply } from '#contract';
import { webhookSecretsOf } from '../integrations/webhook-secrets.ts';
import { giveTurn } from '../kit/give-turn.ts';
import { verifySignature } from '../plugin-host/verify-signature.ts';
import { askPlugin, eventsOf } from './ask-plugin.ts';
import { checkAgreement } from './check-agreement.ts';
import { checkTag } from './check-tag.ts';
import { DEFAULT_RULES } from './default-rules.ts';
import { type ArrivedRequest, readIncoming } from './incoming.ts';
import type { IngressDeps } from './ingress.ts';
import { newDelivery } from './new-delivery.ts';
import type { ReceiverAddress } from './receivers.ts';
import { noteRefusal } from './refusals.ts';
import { namedConnections } from './signed-connections.ts';

const ACCEPTED: WebhookReply = { status: 200, body: '{"status":"success"}' };

/**
 * Takes one delivery of a provider. Once this resolves it is on disk, and will be matched exactly once.
 *
 * @throws ServiceError `not_found`; `webhook_missing_signature`, `webhook_invalid_signature`, `webhook_invalid_payload`; what
 *   reading the body and storing throw
 */
export async function receiveWebhook(
  deps: IngressDeps,
  address: ReceiverAddress,
  request: ArrivedRequest,
): Promise<WebhookReply> {
  const receiver = await deps.receivers.require(address);
  return noteRefusal(deps, receiver, async () => {
    const { integration, rules } = receiver;
    const { webhook, json } = await readIncoming(request, deps.baseUrl);
    const { length } = webhook.rawBody;
    await giveTurn(length);
    const ask = askPlugin(deps, receiver);
    const handshake = ask('handshake', () => rules.handshake?.(webhook), undefined);
    if (handshake !== undefined) return handshake;

    const registeredFor = await checkTag(deps, receiver, webhook);
    const events = eventsOf(ask, { rules, clientPrefix: deps.clientPrefix }, webhook);
    const verdict =
      rules === DEFAULT_RULES
        ? { verified: registeredFor !== undefined }
        : await verifySignature(deps, rules, {
            webhook,
            integration: webhookSecretsOf(deps, integration),
            connections: () => namedConnections(deps, integration, events),
          });
    if (verdict.verified) request.markVerified();
    await checkAgreement(deps, receiver, events);
    await giveTurn(length);
    const delivery = newDelivery(deps, receiver, { ask, webhook, json, events, verdict, registeredFor });
    await giveTurn(length);
    await deps.deliveries.write(delivery);
    return ask('reply', () => rules.reply?.(webhook), undefined) ?? ACCEPTED;
  });
}
