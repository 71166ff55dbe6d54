import type { Knex } from 'knex';
import type { Provider } from '../../catalogue/catalogue.ts';
import { PROOF, type Proof } from '../../catalogue/proof.ts';
import { connectedProviders } from '../../connections/connected-providers-store.ts';
import { answeredProviders } from '../../connections/integrations/provider-probe-store.ts';
import type { Caller } from '../../server/access/caller.ts';
import { grants } from '../../tenants/api-keys/scopes.ts';

/**
 * What is proven about each provider, as far as the caller may know: whether an environment has connections is for keys that may
 * list them. Two queries, however many providers.
 */
export async function proofs({ db }: { readonly db: Knex }, caller: Caller): Promise<(provider: Provider) => Proof> {
  const mayKnow = caller.kind === 'environment' && grants(caller.scopes, 'environment:connections:list');
  const connected = mayKnow ? await connectedProviders(db, caller.environmentId) : new Map<string, Date>();
  const answered = await answeredProviders(db);
  return (provider) => {
    const connectedAt = connected.get(provider.slug);
    if (connectedAt !== undefined) return { level: PROOF.connected, at: dateOf(connectedAt) };
    const answeredAt = answered(provider);
    return answeredAt === undefined ? provider.proof : { level: PROOF.answered, at: dateOf(answeredAt) };
  };
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
