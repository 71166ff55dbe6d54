import { useEffect } from 'preact/hooks';
import { Failure } from '../../components/failure.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp } from '../../context.ts';
import { returnPath } from '../../core/router.ts';
import { FactorForm } from '../../factors/factor-form.tsx';
import { usePlace } from '../../hooks/use-place.ts';
import { useResource } from '../../hooks/use-resource.ts';
import { ME, type Me, type One, type Reply, SECOND_STEP } from '../../wire.ts';
import { EntryPage } from './entry-page.tsx';
import { t } from './texts.ts';

/** After the password, or the identity provider: whoever has a second factor shows it. */
export function SecondStep() {
  const { value, error, reload } = useResource<Reply<'getSecondStep'>>(SECOND_STEP);
  const lead = value && t('second_step_lead', { email: value.data.email });
  return (
    <EntryPage wordsOf={() => ({ title: t('second_step_heading'), lead })}>
      {() => {
        if (error?.code === 'signed_out') return <Over />;
        if (value === undefined) return error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={2} />;
        return <Show step={value.data} />;
      }}
    </EntryPage>
  );
}

function Show({ step }: { readonly step: Reply<'getSecondStep'>['data'] }) {
  const { client, resources, navigation } = useApp();
  const back = returnPath(usePlace(navigation).query.get('return'), navigation.base);
  return (
    <>
      <FactorForm
        factors={step.factor_kinds}
        verb={t('sign_in')}
        send={async (shown) => {
          const me = await client.send<One<Me>>('POST', SECOND_STEP, shown);
          resources.clear();
          resources.put(ME, me);
          navigation.go(back);
        }}
      />
      <details class="forgot">
        <summary>{t('lost_factor')}</summary>
        <p>{t('lost_factor_hint')}</p>
        <p>
          <code>{t('lost_factor_command')}</code>
        </p>
      </details>
    </>
  );
}

/** It was awaited for ten minutes. */
function Over() {
  const { navigation, resources } = useApp();
  const wanted = usePlace(navigation).query.get('return');
  useEffect(() => resources.clear(), []);
  return (
    <>
      <p>{t('second_step_over')}</p>
      <a class="btn primary big" href={wanted === null ? 'login' : `login?return=${encodeURIComponent(wanted)}`}>
        {t('sign_in')}
      </a>
    </>
  );
}
