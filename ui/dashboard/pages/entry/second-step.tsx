import { useEffect } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import type { Navigation } from '../../app/history.ts';
import { ME, type Me, type One, type Reply, SECOND_STEP } from '../../app/replies.ts';
import { returnPath } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { FactorForm } from '../../components/factors/factor-form.tsx';
import { Failure } from '../../components/failure.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { EntryPage } from './entry-page.tsx';
import { Leave } from './leave.tsx';
import { t } from './texts.ts';

/** The page that asks for the second factor, after the password or the identity provider. */
export function SecondStep() {
  const { value, error, reload } = useResource<Reply<'getSecondStep'>>(SECOND_STEP);
  const { navigation } = useApp();
  const lead = value && t('second_step_lead', { email: value.data.email });
  const isIn = error?.code === 'conflict';
  useEffect(() => {
    if (isIn) navigation.replace(backOf(navigation));
  }, [isIn]);
  return (
    <EntryPage wordsOf={() => ({ title: t('second_step_heading'), lead })}>
      {() => {
        if (value === undefined) return error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={2} />;
        return <Show step={value.data} />;
      }}
    </EntryPage>
  );
}

function Show({ step }: { readonly step: Reply<'getSecondStep'>['data'] }) {
  const { client, resources, navigation } = useApp();
  return (
    <>
      <FactorForm
        factors={step.factor_kinds}
        verb={t('sign_in')}
        send={async (shown) => {
          const me = await client.send<One<Me>>('POST', SECOND_STEP, shown);
          resources.clear();
          resources.put(ME, me);
          navigation.replace(backOf(navigation));
        }}
      />
      <Leave />
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

/** Returns where the user wanted to go. */
function backOf({ place, base }: Navigation): string {
  return returnPath(place.query.get('return'), base);
}
