import { useApp } from '../app/context.ts';
import { t } from '../app/texts/en.ts';
import { useOnline } from '../app/use-online.ts';
import { useShown } from '../app/use-shown.ts';
import { Failure } from './failure.tsx';

/** Says that a shown value could not be reloaded. Shows nothing while there is no network, which the offline bar already says. */
export function StaleNote() {
  const { resources } = useApp();
  const isOnline = useOnline();
  const error = useShown().find((one) => one.error !== undefined && one.error.status !== 404)?.error;
  if (error === undefined || !isOnline) return null;
  return <Failure error={error} title={t('stale')} onRetry={() => resources.refresh()} />;
}
