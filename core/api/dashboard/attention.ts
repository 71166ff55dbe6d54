import { effectiveClient, fingerprintOf } from '../../connections/integrations/effective-client.ts';
import { firstIntegrations } from '../../connections/integrations/integration-store.ts';
import type { ApiServices } from '../services.ts';
import {
  failedMessages,
  failingScripts,
  failingTargets,
  type IntegrationName,
  integrationsToReconnect,
} from './attention-store.ts';

/** Of each kind. */
const SHOWN = 10;
/** Their apps are decrypted one by one. */
const LOOKED_AT = 200;
/** Whose flows cannot begin without an app. */
const NEED_CLIENT: readonly string[] = ['OAUTH1', 'OAUTH2'];

export const ATTENTION_KINDS = ['reconnect', 'webhook_target', 'webhook_messages', 'script', 'client'] as const;

interface Attention {
  readonly kind: (typeof ATTENTION_KINDS)[number];
  readonly integration: IntegrationName | null;
  readonly count: number | null;
  readonly event: string | null;
  readonly target: string | null;
  readonly is_paused: boolean;
}

const NOTHING = { integration: null, count: null, event: null, target: null, is_paused: false } as const;

type Parts = Pick<ApiServices, 'db' | 'keys' | 'catalogue'>;

/** What somebody has to mend in an environment, the most urgent kind first. */
export async function attentionFor(parts: Parts, environmentId: number): Promise<Attention[]> {
  const { db } = parts;
  const wanted = { environmentId, limit: SHOWN };
  const reconnect = await integrationsToReconnect(db, wanted);
  const targets = await failingTargets(db, wanted);
  const failed = await failedMessages(db, environmentId);
  const scripts = await failingScripts(db, wanted);
  const clientless = await withoutClient(parts, environmentId);
  return [
    ...reconnect.map(({ count, ...one }) => ({ ...NOTHING, kind: 'reconnect' as const, integration: one, count })),
    ...targets.map(({ slot, paused_at: pausedAt }) => {
      return { ...NOTHING, kind: 'webhook_target' as const, target: slot, is_paused: pausedAt !== null };
    }),
    ...(failed === 0 ? [] : [{ ...NOTHING, kind: 'webhook_messages' as const, count: failed }]),
    ...scripts.map(({ event, ...one }) => ({ ...NOTHING, kind: 'script' as const, integration: one, event })),
    ...clientless.map((one) => ({ ...NOTHING, kind: 'client' as const, integration: one })),
  ];
}

async function withoutClient({ db, keys, catalogue }: Parts, environmentId: number): Promise<IntegrationName[]> {
  const providers = catalogue.list().flatMap((one) => (NEED_CLIENT.includes(one.definition.auth_mode) ? [one.slug] : []));
  const found = await firstIntegrations({ db, keys }, environmentId, { providers, limit: LOOKED_AT });
  return found
    .filter((one) => {
      const provider = catalogue.find(one.provider);
      return provider !== undefined && fingerprintOf(effectiveClient(one, provider)) === null;
    })
    .slice(0, SHOWN)
    .map(({ uniqueKey, displayName }) => ({ unique_key: uniqueKey, display_name: displayName }));
}
