import * as z from 'zod';
import type { FormField, ProviderDefinition, SignatureRule, WebhookRules } from '#contract';
import { askedCredentials } from '../../auth-modes/asked-credentials.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import { wayOf } from '../../auth-modes/way.ts';

const KEYS = ['webhook_secret', 'client_secret', 'integration', 'connection', 'handshake', 'provider_key', 'none'] as const;
type VerifyingKey = (typeof KEYS)[number];

const SOURCES = {
  webhookSecret: 'webhook_secret',
  clientSecret: 'client_secret',
  integration: 'integration',
  connection: 'connection',
  handshake: 'handshake',
} as const satisfies Readonly<Record<string, VerifyingKey>>;

/** What pages say about all integrations of a provider, since it follows from the auth mode and from the webhook rules. */
export const setupFacts = {
  app_need: z
    .enum(['required', 'optional', 'none'])
    .describe('whether an integration needs an app of the developer; `optional`: the service can register one by itself'),
  has_secret_overlap: z
    .boolean()
    .describe('whether a replaced secret of the app is used for another day if the provider does not know the new one'),
  scopes_apply: z
    .enum(['next_token', 'next_sign_in'])
    .describe('when existing connections get changed scopes: with the next token, or when the user authorizes again'),
  way: z
    .enum(['sign_in', 'form', 'none'])
    .nullable()
    .describe('how users connect; `none`: without entering anything; null: they cannot, and connections are imported'),
  asked: z
    .array(z.strictObject({ title: z.string(), description: z.string().nullable() }))
    .describe('fields that users fill in to connect'),
  webhook_keys: z
    .array(z.enum(KEYS))
    .describe(
      'with what the signatures of webhooks are verified: secrets of the integration or of a connection, a secret from a ' +
        'handshake, or a key that the provider publishes; several if it depends on the webhook; `none`: they are not verified',
    ),
};

export function setupFactsOf(definition: ProviderDefinition, rules: Pick<WebhookRules, 'signature'>) {
  const mode = modeNamed(definition.auth_mode);
  const hasApp = mode.app?.some((member) => member === 'client_id' || member === 'app_id') === true;
  const isAlone = mode.begin === undefined && mode.refresh !== undefined;
  return {
    app_need: hasApp ? (mode.appNeed ?? 'required') : 'none',
    has_secret_overlap: mode.hasSecretOverlap === true,
    scopes_apply: isAlone ? 'next_token' : 'next_sign_in',
    way: wayOf(definition) ?? null,
    asked: askedFields(definition),
    webhook_keys: [...new Set(rules.signature.map(keyOf))],
  } as const;
}

function askedFields(definition: ProviderDefinition) {
  const credentials = wayOf(definition) === 'form' ? askedCredentials(definition) : {};
  const fields: readonly FormField[] = [...Object.values(definition.connection_config ?? {}), ...Object.values(credentials)];
  return fields
    .filter(({ hidden, automated }) => hidden !== true && automated !== true)
    .map(({ title, description }) => ({ title, description: description ?? null }));
}

function keyOf(rule: SignatureRule): VerifyingKey {
  if ('secret' in rule) return SOURCES[rule.secret.in];
  return rule.scheme === 'unverified' ? 'none' : 'provider_key';
}
