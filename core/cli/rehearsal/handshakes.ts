import type { IncomingWebhook, IntegrationSecrets, ProviderDefinition } from '#contract';
import { declaredHandshakes, expectedTexts } from '../../catalogue/webhooks/handshakes.ts';
import type { RehearsalStage } from './stage.ts';
import { notApplicable, ok, RehearsalFault, type RehearsalOutcome } from './step.ts';

type DeclaredHandshake = NonNullable<NonNullable<ProviderDefinition['webhook']>['handshake']>[number];

const CHALLENGE = 'challenge-1';
const WRONG = 'something else';
const URL_HERE = 'http://localhost:3003/webhook/rehearsal/rehearsal';

/**
 * Answers each handshake that the definition declares, as if the provider checked the webhook address; then again with a wrong
 * value wherever a particular one is expected, which must not prove that the provider sent the handshake.
 */
export function answerHandshakes({ definition, integration }: RehearsalStage): RehearsalOutcome {
  const declared = definition.webhook?.handshake ?? [];
  if (declared.length === 0) return notApplicable('no handshake is declared');
  const { clientId, clientSecret, webhookSecret = 'webhook-secret' } = integration.client;
  const secrets = { clientId, clientSecret, webhookSecret, config: integration.integrationConfig };
  const handshakes = declaredHandshakes(definition);
  for (const [at, one] of declared.entries()) {
    const path = ['webhook', 'handshake', at];
    const answer = handshakes.map((handshake) => handshake(requestOf(one, secrets), [secrets])).find((found) => found);
    if (answer === undefined || !holds(answer.reply, one))
      throw new RehearsalFault('the response does not contain the challenge of the provider', {
        path,
        advice: 'compare `when` and `echo` with the request that the provider sends',
      });
    const forged = { ...secrets, webhookSecret: WRONG, config: {} };
    const isForgeryProven = handshakes.some((handshake) => handshake(requestOf(one, forged), [secrets])?.isProven);
    if (isForgeryProven) throw new RehearsalFault('a wrong verification value was accepted', { path });
  }
  return ok(`${declared.map(({ method }) => method).join(', ')}: the response contains the challenge of the provider`);
}

function holds(
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body: string },
  { as }: DeclaredHandshake,
) {
  if (as === 'text') return body === CHALLENGE;
  return 'json' in as ? JSON.parse(body)[as.json] === CHALLENGE : headers[as.header.toLowerCase()] === CHALLENGE;
}

function requestOf({ method, when = [], echo }: DeclaredHandshake, secrets: IntegrationSecrets): IncomingWebhook {
  const parts: Record<string, Record<string, unknown>> = { headers: {}, query: {}, body: {} };
  for (const { path, equals } of when)
    place(parts, path, equals === undefined ? 'present' : (expectedTexts(equals, [secrets])[0] ?? WRONG));
  place(parts, echo, CHALLENGE);
  const { headers, query, body } = parts as { headers: Record<string, string>; query: Record<string, string>; body: object };
  const rawBody = Buffer.from(method === 'GET' ? '' : JSON.stringify(body));
  return { method, url: URL_HERE, headers, query, rawBody, payload: body as IncomingWebhook['payload'] };
}

/**
 * Sets the value at a path. Names of headers and query parameters may contain dots; those in a body path lead into nested
 * objects.
 */
function place(parts: Record<string, Record<string, unknown>>, path: string, value: string): void {
  const [root = '', ...names] = path.split('.');
  let target = parts[root] ?? {};
  if (root !== 'body') {
    target[names.join('.')] = value;
    return;
  }
  const last = names.pop() ?? '';
  for (const name of names) {
    const inner = (target[name] ?? {}) as Record<string, unknown>;
    target[name] = inner;
    target = inner;
  }
  target[last] = value;
}
