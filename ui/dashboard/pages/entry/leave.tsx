import { useApp } from '../../app/context.ts';
import { Failure } from '../../components/failure.tsx';
import { useAction } from '../../components/use-action.ts';
import { t } from './texts.ts';

/** A button that cancels an unfinished sign-in. */
export function Leave() {
  const { client, resources, navigation } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('POST', 'api/ui/logout');
    resources.clear();
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
