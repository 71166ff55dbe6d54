import type { Knex } from 'knex';
import type { Provider } from '../catalogue/catalogue.ts';
import { environmentById } from '../environments/environment-store.ts';
import { ServiceError } from '../errors.ts';
import type { Integration } from './integration.ts';

/** Who calls the sandbox: told to it beside the request, where nobody can forge it. */
export type SandboxCaller = Pick<Integration, 'environmentId' | 'uniqueKey'>;

/** @returns undefined for a provider that is not a sandbox */
export function sandboxCaller(
  { environmentId, uniqueKey }: SandboxCaller,
  { definition }: Pick<Provider, 'definition'>,
): string | undefined {
  return definition.sandbox === true ? `${environmentId}/${uniqueKey}` : undefined;
}

export function readSandboxCaller(text: string): SandboxCaller {
  const slashAt = text.indexOf('/');
  return { environmentId: Number(text.slice(0, slashAt)), uniqueKey: text.slice(slashAt + 1) };
}

/**
 * Test accounts must not get among those of customers.
 *
 * @throws ServiceError `forbidden` for a sandbox in a production environment
 */
export async function requireSandboxAllowed(
  db: Knex,
  environmentId: number,
  { slug, definition }: Pick<Provider, 'slug' | 'definition'>,
): Promise<void> {
  if (definition.sandbox !== true) return;
  const environment = await environmentById(db, environmentId);
  if (environment?.isProduction !== false)
    throw new ServiceError('forbidden', `"${slug}" is a sandbox, which production environments cannot use`);
}
