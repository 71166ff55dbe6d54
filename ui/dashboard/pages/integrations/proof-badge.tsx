import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Provider } from './app-form.ts';
import { t } from './texts.ts';

type Proof = Provider['proof'];

/** A badge that says how far the definition of a provider has been proven to work. */
export function ProofBadge({ proof }: { readonly proof: Proof }) {
  return <Badge tone={proof.level >= 2 ? 'ok' : 'idle'}>{t(`proof_${proof.level}`)}</Badge>;
}

/** The same as `ProofBadge`, for lists of many providers. */
export function ProofMark({ proof: { level } }: { readonly proof: Pick<Proof, 'level'> }) {
  return (
    <span class={level === 3 ? 'proof here' : 'proof'}>
      <Icon name={level === 0 ? 'log' : 'tick'} />
      {t(`proof_${level}`)}
    </span>
  );
}

const LEVELS = [0, 1, 2, 3] as const;

/** Says what each level of proof means. */
export function ProofLegend() {
  return (
    <Card title={t('proof_legend')}>
      <dl class="ladder">
        {LEVELS.map((level) => (
          <div key={level}>
            <dt>
              <ProofMark proof={{ level }} />
            </dt>
            <dd class="small soft">{t(`proof_${level}_hint`)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
