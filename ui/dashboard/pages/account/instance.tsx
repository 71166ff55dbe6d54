import type { Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { figure } from '../../components/figure.ts';
import { KeyValues } from '../../components/key-values.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { AdminPage } from './account-page.tsx';
import { t } from './texts.ts';

const LOGOS: Readonly<Record<string, string>> = { own: t('logos_own'), off: t('logos_off') };

export const INSTANCE = 'api/ui/account/instance';

type InstanceFacts = Reply<'getInstance'>['data'];

/** The page with the facts about this installation. */
export function Instance() {
  return <AdminPage>{() => <Facts />}</AdminPage>;
}

function Facts() {
  const { value, error, reload } = useResource<Reply<'getInstance'>>(INSTANCE);
  if (value === undefined) return error === undefined ? <Skeleton rows={5} /> : <Failure error={error} onRetry={reload} />;
  return (
    <div class="stack">
      <Running {...value.data} />
      <SignIn {...value.data.sign_in} />
    </div>
  );
}

function Running(instance: InstanceFacts) {
  const { version, base_url: baseUrl, database, encryption_key: key, company_logos: logos } = instance;
  const { log_retention_days: days, log_max_mb: megabytes } = instance;
  return (
    <Card title={t('instance')}>
      <KeyValues
        rows={{
          [t('version')]: version,
          [t('base_url')]: <Copyable text={baseUrl} what={t('base_url')} />,
          [t('database')]: t(database === 'embedded' ? 'database_embedded' : 'database_external'),
          [t('encryption_key')]: <KeyState id={key.current} state={t('key_in_use')} />,
          [t('old_keys')]:
            key.others.length === 0 ? undefined : <KeyState id={key.others.join(', ')} state={t('old_keys_in_use')} />,
          [t('retention')]: t.count('kept_days', days, { size: figure(megabytes) }),
          [t('company_logos')]: LOGOS[logos] ?? <code>{logos}</code>,
        }}
      />
    </Card>
  );
}

function KeyState({ id, state }: { readonly id: string; readonly state: string }) {
  return (
    <>
      <code>{id}</code> · {state}
    </>
  );
}

/** The ways to sign in. */
function SignIn({ passwords, provider, second_factor: required }: InstanceFacts['sign_in']) {
  const isForNobody = required !== 'off' && !passwords;
  return (
    <Card title={t('sso')}>
      <KeyValues rows={{ [t('second_factor')]: t(isForNobody ? 'factor_nobody' : `factor_${required}`) }} />
      {provider === null ? (
        <p class="soft">
          {t('sso_none')} <code>SVC_OIDC_ISSUER</code>.
        </p>
      ) : (
        <KeyValues
          rows={{
            [t('sso_name')]: provider.name,
            [t('sso_issuer')]: <Copyable text={provider.issuer} what={t('sso_issuer')} />,
            [t('sso_domains')]: provider.allowed_domains.join(', ') || '–',
            [t('sso_admins')]: provider.admin_group ?? '–',
            [t('sso_passwords')]: t(passwords ? 'passwords_on' : 'passwords_off'),
          }}
        />
      )}
    </Card>
  );
}
