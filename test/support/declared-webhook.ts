import type { WebhookRules } from '#contract';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { declaredRules } from '../../core/catalogue/webhooks/declared-webhook.ts';
import { DIRS } from '../contract/catalogue-cases.ts';
import { incomingJson, STRANGE_PAYLOADS } from './incoming-webhook.ts';

/** Returns the webhook rules that the `provider.json` of a bundled provider declares. */
export async function declaredWebhook(slug: string): Promise<WebhookRules> {
  const provider = (await readCatalogue(DIRS)).find(slug);
  const rules = provider && declaredRules(provider.definition);
  if (rules === undefined) throw new Error(`${slug} declares no webhooks`);
  return rules;
}

/** Returns the connections that webhook rules find for payloads in which the fields they read are missing or malformed. */
export function strangeConnections(rules: WebhookRules): readonly unknown[] {
  return STRANGE_PAYLOADS.flatMap((payload) => rules.events(incomingJson(payload)).flatMap(({ connections }) => connections));
}
