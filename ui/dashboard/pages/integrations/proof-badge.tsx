import { Badge } from '../../components/badge.tsx';
import type { Provider } from './app-form.ts';
import { t } from './texts.ts';

/** A badge that says how far the definition of a provider has been proven to work. */
export function ProofBadge({ proof }: { readonly proof: Provider['proof'] }) {
  return <Badge tone={proof.level >= 2 ? 'ok' : 'idle'}>{t(`proof_${proof.level}`)}</Badge>;
}
