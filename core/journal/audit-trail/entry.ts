import type { Json } from '#contract';

/** Every action that is recorded. A new one also needs a line in the table of `docs/audit.md`. */
export const AUDIT_ACTIONS = [
  'account.create',
  'api_key.create',
  'api_key.revoke',
  'audit.anchor',
  'audit.export',
  'backup.create',
  'backup.restore',
  'connection.delete',
  'connection.import',
  'connection.reconnect_link',
  'connection.reveal',
  'connection.update',
  'encryption_keys.rotate',
  'environment.create',
  'environment.delete',
  'environment.export',
  'environment.import',
  'environment.update',
  'integration.create',
  'integration.delete',
  'integration.update',
  'member.factor_add',
  'member.factor_remove',
  'member.factor_reset',
  'member.invite',
  'member.join',
  'member.password_change',
  'member.password_link',
  'member.recovery_code_use',
  'member.recovery_codes',
  'member.remove',
  'member.setup_link',
  'member.sign_in',
  'member.sign_out',
  'member.uninvite',
  'member.update',
  'script.delete',
  'script.deploy',
  'script.test',
  'script.update',
  'webhook_secret.reveal',
  'webhook_secret.rotate',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const ACTOR_KINDS = ['api_key', 'member', 'session', 'script', 'system', 'cli'] as const;

/** The actor of an entry. */
export interface AuditActor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** The actor of an entry, and the address that the request came from. */
interface AuditSource {
  readonly actor: AuditActor;
  /** The address of the client; undefined for actions on the machine of the service. */
  readonly address?: string | undefined;
}

/** The object of the action. */
interface AuditSubject {
  readonly type:
    | 'account'
    | 'api_key'
    | 'audit_trail'
    | 'backup'
    | 'connection'
    | 'encryption_keys'
    | 'environment'
    | 'integration'
    | 'member'
    | 'script';
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** The source of an action, and the account and environment that it concerns. */
export interface AuditContext {
  readonly source: AuditSource;
  /** The account; the first one if the action concerns the whole installation, null if there is no account yet. */
  readonly accountId: number | null;
  readonly environmentId?: number | undefined;
}

export interface NewAuditEntry extends AuditContext {
  readonly action: AuditAction;
  readonly subject: AuditSubject;
  /** The names of the changed fields, never values that may be secret. Fields with names that suggest a secret are redacted, too. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

/** An entry as it was recorded. */
export interface AuditEntry {
  /** The number of the entry, counted from 1 over the whole installation. */
  readonly sequence: number;
  /** The time by the database's clock. */
  readonly at: Date;
  readonly accountId: number | null;
  readonly environmentId: number | null;
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string | null; readonly name: string | null };
  readonly facts: Readonly<Record<string, Json>>;
  readonly address: string | null;
  readonly previousMac: Buffer;
  readonly mac: Buffer;
  readonly keyId: number;
}
