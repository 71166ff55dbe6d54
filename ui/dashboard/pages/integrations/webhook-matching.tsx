import { Card } from '../../components/card.tsx';
import { t } from './texts.ts';

/** Says how the connections of a delivery are found. @param clauses the rules; null when only the provider's plugin knows */
export function WebhookMatching({ clauses }: { readonly clauses: readonly string[] | null }) {
  const which = clauses === null ? 'matching_unknown' : (['matching_none', 'matching_one'] as const)[clauses.length];
  return (
    <Card title={t('matching')}>
      <div class="stack tight">
        <p class="soft">{t(which ?? 'matching_first')}</p>
        {clauses !== null && clauses.length > 0 && (
          <ol class="steps">
            {clauses.map((clause) => (
              <li key={clause} class="wrap">
                {clause}
              </li>
            ))}
          </ol>
        )}
        <p class="soft">{t('matching_else')}</p>
      </div>
    </Card>
  );
}
