import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { createKey } from '../api-keys/api-keys.ts';
import type { EnvironmentsDeps } from './deps.ts';
import { type Environment, environmentById, insertEnvironment, type NewEnvironment } from './environment-store.ts';
import { makeSigningSecret } from './webhook-secret.ts';

const MAX_LENGTH = 2048;

/** The name of keys that are created together with the environment or account to which they give access. */
export const FULL_ACCESS_KEY = 'Default - Full access';

/**
 * Creates an environment with its webhook signing secret. `db` must be a transaction.
 *
 * @throws ServiceError `conflict` when the account has an environment of that name
 */
export async function addEnvironment(deps: EnvironmentsDeps, wanted: NewEnvironment): Promise<Environment> {
  const environment = await insertEnvironment(deps.db, wanted);
  await makeSigningSecret(deps, environment.id);
  return environment;
}

/**
 * Creates an environment and its first key, whose secret is returned only this once.
 *
 * @param createdBy the name of the caller who creates both
 * @throws ServiceError `conflict` when the account has an environment of that name
 */
export async function createEnvironment(
  deps: EnvironmentsDeps,
  wanted: NewEnvironment,
  createdBy: string | undefined,
): Promise<{ readonly environment: Environment; readonly apiKey: string }> {
  return withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    const environment = await addEnvironment(here, wanted);
    const owner = { accountId: wanted.accountId, environmentId: environment.id };
    const { secret } = await createKey(here, owner, { name: FULL_ACCESS_KEY, scopes: ['environment:*'], createdBy });
    return { environment, apiKey: secret };
  });
}

/** @throws ServiceError `not_found`, also for an environment of another account, whose existence it must not reveal */
export async function requireEnvironmentOf(
  { db }: { readonly db: Knex },
  { accountId, id }: { readonly accountId: number; readonly id: number },
): Promise<Environment> {
  const environment = await environmentById(db, id);
  if (environment?.accountId === accountId) return environment;
  throw new ServiceError('not_found', `there is no environment ${id} in this account`);
}

/**
 * Returns whether an address can be a redirect URI: http or https, without user name and password, and without a fragment (RFC
 * 6749 §3.1.2), since with one the response would not reach the server.
 */
export function isCallbackUrl(text: string): boolean {
  if (text.length > MAX_LENGTH || /[\s\p{Cc}]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' && !text.includes('#');
}
