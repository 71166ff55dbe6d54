import { useMe } from '../../app/context.ts';
import type { Many, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { type Found, logsQuery } from './shown-connection.ts';
import { t } from './texts.ts';

type Webhook = Reply<'listDeliveries'>['data'][number];
type Settings = Reply<'getSettings'>;

const DAY_MS = 86_400_000;

/** Says whether the application was told that the connection does not work, and by which webhook. */
export function Report({ address, health, status }: Found) {
  const base = ['api', 'ui', 'e', address.environment];
  const query = new URLSearchParams([...logsQuery(address), ['type', 'auth'], ['since', health.since]]);
  const webhooks = useResource<Many<Webhook>>(`${pathOf([...base, 'deliveries'])}?${query}`).value?.data;
  const settings = useResource<Settings>(pathOf([...base, 'settings'])).value?.data;
  const { log_retention_days: retention } = useMe();
  if (webhooks === undefined || settings === undefined) return <>–</>;
  // An earlier release stored webhooks without what they report, and old ones are no longer kept.
  const isKept = new Date(health.since).getTime() > Date.now() - retention * DAY_MS;
  if (!isKept || webhooks.some(({ operation, success }) => operation === 'refresh' && success === null))
    return <>{t('untold_unknown')}</>;
  const told = webhooks.find(({ operation, success }) => operation === 'refresh' && success === false);
  if (told !== undefined)
    return (
      <>
        {t('told')} <RelativeTime at={told.created_at} />, {t(`told_${told.status}`)}
      </>
    );
  const hasUrl = (status.webhook_url_override ?? settings.webhook_url ?? settings.webhook_url_secondary) !== null;
  if (!hasUrl) return <>{t('untold_url')}</>;
  if (!settings.on_refresh) return <>{t('untold_off')}</>;
  return <>{t(health.state === 'degraded' ? 'untold_yet' : 'untold')}</>;
}
