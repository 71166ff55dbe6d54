import type { Provider } from '../catalogue/catalogue.ts';
import { PROOF, type Proof } from '../catalogue/proof.ts';
import { connectedProviders } from '../connections/connected-providers-store.ts';
import { grants } from '../environments/scopes.ts';
import type { Caller } from '../http/caller.ts';
import type { ApiServices } from './services.ts';

/**
 * What is proven about each provider, as far as the caller may know: whether an environment has connections is for keys that may
 * list them. One query, however many providers.
 */
export async function proofs({ db }: Pick<ApiServices, 'db'>, caller: Caller): Promise<(provider: Provider) => Proof> {
  const mayKnow = caller.kind === 'environment' && grants(caller.scopes, 'environment:connections:list');
  const connected = mayKnow ? await connectedProviders(db, caller.environmentId) : new Map<string, Date>();
  return ({ slug, proof }) => {
    const at = connected.get(slug);
    return at === undefined ? proof : { level: PROOF.connected, at: at.toISOString().slice(0, 10) };
  };
}
