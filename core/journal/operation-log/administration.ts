import type { AuditAction, NewAuditEntry } from '../audit-trail/entry.ts';
import type { OperationStart } from './operation-row.ts';

interface Administration {
  readonly start: OperationStart;
  readonly summary: string;
}

/**
 * The summary of each action; `{}` stands for its subject. Actions that concern no environment are only in the audit trail; so is
 * the deletion of an environment, which also deletes its operation log.
 */
const WORDS: Readonly<Partial<Record<AuditAction, string>>> = {
  'api_key.create': 'the API key {} was created',
  'api_key.revoke': 'the API key {} was revoked',
  'connection.delete': 'the connection {} was deleted',
  'connection.import': 'the connection {} was imported',
  'connection.update': 'the connection {} was changed',
  'connection.reconnect_link': 'a link to connect {} again was created',
  'connection.reveal': 'the credentials of the connection {} were read',
  'environment.create': 'the environment {} was created',
  'environment.export': 'the environment {} was exported',
  'environment.import': 'data was imported into the environment {}',
  'environment.update': 'the settings of the environment {} were changed',
  'integration.create': 'the integration {} was created',
  'integration.delete': 'the integration {} was deleted',
  'integration.update': 'the integration {} was changed',
  'script.delete': 'the script {} was deleted',
  'script.deploy': 'the script {} was deployed',
  'script.test': 'the script {} was tested',
  'script.update': 'the script {} was changed',
  'webhook_secret.reveal': 'the signing key of webhooks was read',
  'webhook_secret.rotate': 'the signing key of webhooks was rotated',
};

/** Turns an entry of the audit trail into an operation of its environment, without the address that the request came from. */
export function administrationOf({ source, environmentId, action, subject, facts }: NewAuditEntry): Administration | undefined {
  const words = WORDS[action];
  if (environmentId === undefined || words === undefined) return undefined;
  const integration = subject.type === 'integration' ? subject.id : facts?.['integration'];
  const start = {
    type: 'admin',
    operation: action,
    environmentId,
    actor: source.actor,
    ...(typeof integration === 'string' && { providerConfigKey: integration }),
    ...(subject.type === 'connection' && { connectionId: subject.id }),
  } as const;
  return { start, summary: words.replace('{}', () => subject.name ?? subject.id ?? '') };
}
