import { useEnvironment } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { bounded, figure } from '../../components/figure.ts';
import { KeyValues } from '../../components/key-values.tsx';
import { dateFormat, localeOf } from '../../components/times.ts';
import type { Provider, Setup } from './app-form.ts';
import { totalOf } from './connections-link.tsx';
import { t } from './texts.ts';

/** Says how far the provider's definition has been proven to work, and how its connections work in this environment. */
export function AboutProvider({ provider, setup }: { readonly provider: Provider; readonly setup: Setup }) {
  const { name: environment } = useEnvironment();
  const { level, at } = provider.proof;
  const proof = t(`proof_${level}_hint`);
  const total = totalOf(setup.connections);
  const dated = level < 2 ? ('proof_compared' as const) : ('proof_at' as const);
  return (
    <Card title={t('known', { provider: provider.display_name, environment })}>
      <KeyValues
        rows={{
          [t('proof')]: at === null ? proof : t(dated, { proof, at: dayOf(at) }),
          [t('heading')]: figure(setup.integrations),
          [t('connections')]:
            total === 0
              ? t('no_connections')
              : t('healthy_of', { healthy: bounded(setup.connections.healthy), total: bounded(total) }),
        }}
      />
    </Card>
  );
}

/** @param date a date without a time, so it has no time zone */
function dayOf(date: string): string {
  return dateFormat(localeOf(navigator.languages), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date));
}
