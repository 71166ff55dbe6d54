import type { AppMember } from '../auth-modes/auth-mode.ts';
import { modeNamed } from '../auth-modes/index.ts';
import type { Provider } from '../catalogue/catalogue.ts';
import { ServiceError } from '../errors.ts';
import type { ClientApp } from './integration.ts';
import { changedWebhookSecret } from './webhook-secrets.ts';

/** An integration's app in the interface's words; only what is given counts. */
export interface AppCredentials {
  readonly type?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  /** Separated by commas; empty: the provider's defaults. */
  readonly scopes?: string | undefined;
  /** Empty: none. */
  readonly webhook_secret?: string | undefined;
  readonly app_id?: string | undefined;
  readonly app_link?: string | undefined;
  readonly private_key?: string | undefined;
}

/** Members of an app that integrations of this mode have; a webhook secret any integration may have. */
export function appMembersOf(mode: string): readonly AppMember[] {
  return modeNamed(mode).app ?? [];
}

/** @throws ServiceError `invalid_body` for the type of another mode, or members that the provider's mode has no use for */
export function checkCredentials({ slug, definition }: Provider, given: AppCredentials): void {
  const mode = definition.auth_mode;
  if (given.type !== undefined && given.type !== mode) {
    throw misfit(`credentials of the provider "${slug}" have the type ${mode}`, 'invalid_value', ['type']);
  }
  const known: readonly string[] = ['type', 'webhook_secret', ...appMembersOf(mode)];
  const unknown = Object.entries(given).flatMap(([name, value]) => (value === undefined || known.includes(name) ? [] : [name]));
  if (unknown.length > 0)
    throw misfit(`integrations of the provider "${slug}" (${mode}) have no ${unknown.join(', ')}`, 'unrecognized_keys', unknown);
}

/** The app after a change: what is not given stays as it was. */
export function changedClient(before: ClientApp, given: AppCredentials, now: Date): ClientApp {
  const { webhookSecret: _, previousWebhookSecret: __, ...others } = before;
  return {
    ...others,
    ...(given.client_id !== undefined && { clientId: given.client_id }),
    ...(given.client_secret !== undefined && { clientSecret: given.client_secret }),
    ...(given.scopes !== undefined && { scopes: given.scopes === '' ? [] : given.scopes.split(',') }),
    ...changedWebhookSecret(before, given.webhook_secret, now),
    ...(given.app_id !== undefined && { appId: given.app_id }),
    ...(given.app_link !== undefined && { appLink: given.app_link }),
    ...(given.private_key !== undefined && { privateKey: given.private_key }),
  };
}

function misfit(message: string, code: string, members: readonly string[]): ServiceError {
  return new ServiceError('invalid_body', message, {
    details: members.map((name) => ({ code, message, path: ['credentials', name] })),
  });
}
