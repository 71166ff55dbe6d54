import type { AppMember } from '../../auth-modes/auth-mode.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import { ServiceError } from '../../errors.ts';
import { previousSecret } from './former-clients.ts';
import type { AppSecret, ClientApp } from './integration.ts';
import { changedWebhookSecret } from './webhook-secrets.ts';

/** An integration's app as in the HTTP API; omitted fields are not set or not changed. */
export interface AppCredentials {
  readonly type?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  /** Scopes separated by commas; empty: the provider's defaults. */
  readonly scopes?: string | undefined;
  /** An empty string removes the secret. */
  readonly webhook_secret?: string | undefined;
  readonly app_id?: string | undefined;
  readonly app_link?: string | undefined;
  readonly private_key?: string | undefined;
}

/**
 * Returns the names of the fields that the apps of integrations of this mode have. Any integration may also have a webhook
 * secret.
 */
export function appMembersOf(mode: string): readonly AppMember[] {
  return modeNamed(mode).app ?? [];
}

/**
 * Checks that the credentials fit the provider's mode.
 *
 * @throws ServiceError `invalid_body` if their type is that of another mode, or if they have fields that the provider's mode does
 *   not use
 */
export function checkCredentials({ slug, definition }: Provider, credentials: AppCredentials): void {
  const mode = definition.auth_mode;
  if (credentials.type !== undefined && credentials.type !== mode) {
    throw misfit(`credentials for the provider "${slug}" must have the type ${mode}`, 'invalid_value', ['type']);
  }
  const allowed: readonly string[] = ['type', 'webhook_secret', ...appMembersOf(mode)];
  const unknown = Object.entries(credentials).flatMap(([name, value]) =>
    value === undefined || allowed.includes(name) ? [] : [name],
  );
  if (unknown.length > 0)
    throw misfit(`integrations of the provider "${slug}" (${mode}) have no ${unknown.join(', ')}`, 'unrecognized_keys', unknown);
}

/**
 * Returns whether the credentials set the client that users authorize, or a secret with which that client proves its identity.
 */
export function namesApp({ client_id, client_secret, app_id, app_link, private_key }: AppCredentials = {}): boolean {
  return [client_id, client_secret, app_id, app_link, private_key].some((member) => member !== undefined);
}

/** Returns the app after a change; omitted fields stay unchanged. */
export function changedClient(before: ClientApp, credentials: AppCredentials, now: Date): ClientApp {
  const { webhookSecret: _, previousWebhookSecret: __, previousClientSecret: ___, ...others } = before;
  const after = {
    ...others,
    ...(credentials.client_id !== undefined && { clientId: credentials.client_id }),
    ...(credentials.client_secret !== undefined && { clientSecret: credentials.client_secret }),
    ...(credentials.scopes !== undefined && { scopes: credentials.scopes === '' ? [] : credentials.scopes.split(',') }),
    ...changedWebhookSecret(before, credentials.webhook_secret, now),
    ...(credentials.app_id !== undefined && { appId: credentials.app_id }),
    ...(credentials.app_link !== undefined && { appLink: credentials.app_link }),
    ...(credentials.private_key !== undefined && { privateKey: credentials.private_key }),
  };
  return { ...after, ...previousSecret(before, after, now), ...secretsSince(before, after, now) };
}

const SECRETS: readonly AppSecret[] = ['clientSecret', 'privateKey', 'webhookSecret'];

function secretsSince(before: ClientApp, after: ClientApp, now: Date): Pick<ClientApp, 'secretsSince'> {
  const since = SECRETS.flatMap((name) => {
    const at = after[name] === before[name] ? before.secretsSince?.[name] : now.toISOString();
    return at === undefined || !after[name] ? [] : [[name, at]];
  });
  return { secretsSince: Object.fromEntries(since) };
}

function misfit(message: string, code: string, members: readonly string[]): ServiceError {
  return new ServiceError('invalid_body', message, {
    details: members.map((name) => ({ code, message, path: ['credentials', name] })),
  });
}
