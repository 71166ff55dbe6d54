import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Provider } from '../../catalogue/catalogue.ts';

interface ProviderProbeRow {
  readonly slug: string;
  readonly definition_hash: Buffer;
  readonly answered_at: Date;
}

type ProbedProvider = Pick<Provider, 'slug' | 'definition'>;

/** Stores whether a provider responded to a probe (`svc provider probe`) as its definition says; replaces an earlier result. */
export async function storeProbe(db: Knex, provider: ProbedProvider, hasAnswered: boolean): Promise<void> {
  const { slug } = provider;
  if (!hasAnswered) await db<ProviderProbeRow>('provider_probes').where({ slug }).delete();
  else {
    const row = { slug, definition_hash: hashOf(provider), answered_at: db.fn.now() };
    await db('provider_probes').insert(row).onConflict('slug').merge();
  }
}

/**
 * Returns a function that tells when a probe last found that a provider responds as its definition says. It returns undefined if
 * the last probe failed, if there was none, or if the definition has changed since.
 */
export async function probedProviders(db: Knex): Promise<(provider: ProbedProvider) => Date | undefined> {
  const rows = await db<ProviderProbeRow>('provider_probes');
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  return (provider) => {
    const row = bySlug.get(provider.slug);
    return row?.definition_hash.equals(hashOf(provider)) ? row.answered_at : undefined;
  };
}

function hashOf({ definition }: ProbedProvider): Buffer {
  return createHash('sha256').update(JSON.stringify(definition)).digest();
}
