import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../../components/failure.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp } from '../../context.ts';
import { returnPath } from '../../core/router.ts';
import { AddFactor } from '../../factors/add-factor.tsx';
import { FACTORS } from '../../factors/added.ts';
import { useAction } from '../../hooks/use-action.ts';
import { usePlace } from '../../hooks/use-place.ts';
import { useResource } from '../../hooks/use-resource.ts';
import { ME, type Me, type One, type Reply } from '../../wire.ts';
import { EntryPage } from './entry-page.tsx';
import { t } from './texts.ts';

/** Where a second factor is required, somebody without one comes here and nowhere else. */
export function Enrol() {
  const { resources, navigation } = useApp();
  const back = returnPath(usePlace(navigation).query.get('return'), navigation.base);
  const { value, error, reload } = useResource<Reply<'listMyFactors'>>(FACTORS);
  const me = useResource<One<Me>>(ME).value?.data;
  const isOut = error?.code === 'signed_out';
  // Afterwards it need not be, while the recovery codes are shown.
  const isNeeded = useRef<boolean | undefined>(undefined);
  isNeeded.current ??= me?.must_enrol;
  useEffect(() => {
    if (isNeeded.current === false) navigation.replace(back);
  }, [isNeeded.current]);
  useEffect(() => {
    if (isOut) navigation.replace('login');
  }, [isOut]);
  const done = () => {
    resources.clear();
    navigation.go(back);
  };
  return (
    <EntryPage wordsOf={() => ({ title: t('enrol_heading'), lead: t('enrol_lead') })}>
      {() => {
        if (value === undefined) return error && !isOut ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={2} />;
        return (
          <>
            <AddFactor hasApp={false} noPasskeys={value.data.no_passkeys} onDone={done} />
            <Leave />
          </>
        );
      }}
    </EntryPage>
  );
}

function Leave() {
  const { client, resources, navigation } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('POST', 'api/ui/logout');
    resources.clear();
    resources.invalidate(ME);
    navigation.go('login');
  });
  return (
    <>
      {error && <Failure error={error} />}
      <button type="button" class="btn link" disabled={isRunning} onClick={() => void run()}>
        {t('sign_out')}
      </button>
    </>
  );
}
