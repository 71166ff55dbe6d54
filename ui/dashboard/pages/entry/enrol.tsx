import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import { ME, type Me, type One, type Reply } from '../../app/replies.ts';
import { returnPath } from '../../app/router.ts';
import { usePlace } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { AddFactor } from '../../components/factors/add-factor.tsx';
import { FACTORS } from '../../components/factors/added.ts';
import { Failure } from '../../components/failure.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { EntryPage } from './entry-page.tsx';
import { Leave } from './leave.tsx';
import { t } from './texts.ts';

/** The page that enrols a second factor. If one is required, a member who has none can see no other page. */
export function Enrol() {
  const { resources, navigation } = useApp();
  const back = returnPath(usePlace(navigation).query.get('return'), navigation.base);
  const { value, error, reload } = useResource<Reply<'listMyFactors'>>(FACTORS);
  const mustEnrol = useResource<One<Me>>(ME).value?.data.must_enrol;
  const [hasCodes, setHasCodes] = useState(false);
  // A member who has just enrolled one stays here until the recovery codes are saved.
  const isDone = mustEnrol === false && !hasCodes;
  useEffect(() => {
    if (isDone) navigation.replace(back);
  }, [isDone]);
  const done = () => {
    resources.clear();
    navigation.replace(back);
  };
  return (
    <EntryPage wordsOf={() => ({ title: t('enrol_heading'), lead: t('enrol_lead') })}>
      {() => {
        if (value === undefined) return error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={2} />;
        const { factors, no_passkeys: noPasskeys } = value.data;
        const hasApp = factors.some(({ kind }) => kind === 'totp');
        return (
          <>
            <AddFactor hasApp={hasApp} noPasskeys={noPasskeys} onCodes={() => setHasCodes(true)} onDone={done} />
            <Leave />
          </>
        );
      }}
    </EntryPage>
  );
}
