import type { Knex } from 'knex';
import type { Catalogue, Provider } from '../../catalogue/catalogue.ts';
import { ServiceError } from '../../errors.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import type { Integration } from './integration.ts';
import { integrationsOf } from './integration-store.ts';

/**
 * The integration on whose behalf the sandbox is called. The sandbox learns it outside the HTTP request, where nobody can forge
 * it.
 */
export type DemoCaller = Pick<Integration, 'environmentId' | 'uniqueKey'>;

/** Returns the text that names the calling integration to the sandbox; undefined for a provider that is not a sandbox. */
export function demoCaller(
  { environmentId, uniqueKey }: DemoCaller,
  { definition }: Pick<Provider, 'definition'>,
): string | undefined {
  return definition.sandbox === true ? `${environmentId}/${uniqueKey}` : undefined;
}

export function readDemoCaller(text: string): DemoCaller {
  const slashAt = text.indexOf('/');
  return { environmentId: Number(text.slice(0, slashAt)), uniqueKey: text.slice(slashAt + 1) };
}

/**
 * Returns a function that tells whether an environment may have integrations of a provider: in production no sandbox is allowed.
 */
export async function allowedIn(db: Knex, environmentId: number): Promise<(provider: Pick<Provider, 'definition'>) => boolean> {
  const environment = await environmentById(db, environmentId);
  const hasSandbox = environment?.isProduction === false;
  return ({ definition }) => hasSandbox || definition.sandbox !== true;
}

/**
 * Refuses a sandbox in production, where its test accounts would mix with those of customers.
 *
 * @throws ServiceError `forbidden` for a sandbox in a production environment
 */
export async function requireSandboxAllowed(
  db: Knex,
  environmentId: number,
  { slug, definition }: Pick<Provider, 'slug' | 'definition'>,
): Promise<void> {
  if (definition.sandbox !== true) return;
  const isAllowed = await allowedIn(db, environmentId);
  if (!isAllowed({ definition }))
    throw new ServiceError('forbidden', `"${slug}" is a sandbox provider, which production environments cannot use`);
}

/**
 * Checks that an environment that is about to become a production environment uses no sandbox.
 *
 * @throws ServiceError `conflict` while the environment has integrations of a sandbox
 */
export async function requireNoSandboxes(
  { db, catalogue }: { readonly db: Knex; readonly catalogue: Catalogue },
  environmentId: number,
): Promise<void> {
  const integrations = await integrationsOf(db, environmentId);
  const played = integrations.filter(({ provider }) => catalogue.find(provider)?.definition.sandbox === true);
  if (played.length === 0) return;
  const keys = played.map(({ uniqueKey }) => uniqueKey).join(', ');
  throw new ServiceError(
    'conflict',
    `production environments cannot use sandbox providers; delete these integrations first: ${keys}`,
  );
}
