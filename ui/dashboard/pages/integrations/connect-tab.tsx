import { httpsOnly } from '../../../kit/link.ts';
import { useMay } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import type { Provider } from './app-form.ts';
import { ConnectScreenForm } from './connect-screen-form.tsx';
import { totalOf } from './connections-link.tsx';
import { scopesOf } from './known-scopes.ts';
import type { Status, TabProps } from './shown-integration.ts';
import { t } from './texts.ts';
import { Outside } from './what-you-need.tsx';

/** The texts for the ways of connecting in which no field is shown. */
const NOTHING_ASKED = {
  sign_in: 'connect_sign_in',
  form: 'connect_nothing',
  none: 'connect_nothing',
  import: 'connect_imported',
} as const;

/** The tab that shows what users see when they connect, most of which comes from the provider's definition. */
export function ConnectTab({ path, integration, provider, setup, status }: TabProps) {
  const mayChange = useMay('developer');
  const { connect_screen: screen } = status;
  const guide = provider['connect_guide_url'];
  const link = typeof guide === 'string' ? httpsOnly(guide) : undefined;
  const { asked } = setup;
  return (
    <div class="stack narrow">
      <Card title={t('connect_name')}>
        <div class="stack">
          <KeyValues
            rows={{
              [t('display_name')]: integration.display_name,
              [t('connect_guide_of_definition')]: link ? <Outside href={link}>{link}</Outside> : t('none'),
              [t('connect_own_guide')]: mayChange ? undefined : (screen.guide_url ?? t('none')),
              [t('connect_position')]: mayChange ? undefined : (screen.position ?? t('not_set')),
            }}
          />
          {mayChange && <ConnectScreenForm path={path} screen={screen} isPrimary={totalOf(status.connections) > 0} />}
        </div>
      </Card>
      <Card title={t('connect_fields')}>
        {asked.length === 0 ? (
          <p class="soft">{t(NOTHING_ASKED[setup.way ?? 'import'])}</p>
        ) : (
          <KeyValues rows={Object.fromEntries(asked.map(({ title, description }) => [title, description ?? '–']))} />
        )}
      </Card>
      {setup.app.includes('scopes') && (
        <Card title={t('scopes')}>
          <AskedScopes names={status.is_shared_app ? setup.shared_app?.scopes : chosenScopes(status)} provider={provider} />
        </Card>
      )}
    </div>
  );
}

/** The scopes for which users are asked. @param names the integration's scopes; the provider's defaults if there are none */
function AskedScopes({ names = [], provider }: { readonly names?: readonly string[] | undefined; readonly provider: Provider }) {
  const known = scopesOf(provider, 'available_scopes');
  const asked = names.length > 0 ? names : scopesOf(provider, 'default_scopes').map(({ name }) => name);
  if (asked.length === 0) return <p class="soft">{t('connect_no_scopes')}</p>;
  const descriptionOf = (scope: string) => known.find(({ name }) => name === scope)?.description ?? '–';
  return <KeyValues rows={Object.fromEntries(asked.map((scope) => [scope, descriptionOf(scope)]))} />;
}

function chosenScopes({ client }: Status): readonly string[] {
  return (client.scopes ?? '').split(',').filter((name) => name !== '');
}
