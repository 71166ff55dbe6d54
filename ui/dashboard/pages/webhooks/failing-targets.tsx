import { useApp, useEnvironment, useEnvironmentPath, useMay, useMe } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Failure } from '../../components/failure.tsx';
import type { Settings } from '../../components/loaded-settings.tsx';
import { Note } from '../../components/note.tsx';
import { Elapsed, RelativeTime } from '../../components/relative-time.tsx';
import { sentence } from '../../components/sentence.ts';
import { useAction } from '../../components/use-action.ts';
import { t } from './texts.ts';

type Failing = Reply<'listFailingTargets'>['data'][number];

const COLUMNS = { primary: 'webhook_url', secondary: 'webhook_url_secondary' } as const;

/** Notes about webhook targets that fail: their webhooks wait for the next attempt, or the target is paused. */
export function FailingTargets(settings: Settings) {
  const path = `${useEnvironmentPath()}/webhook-targets/failing`;
  const targets = useResource<Reply<'listFailingTargets'>>(path).value?.data ?? [];
  return (
    <>
      {targets.map((target) => (
        <FailingTarget key={target.slot} {...target} url={settings[COLUMNS[target.slot]]} />
      ))}
    </>
  );
}

function FailingTarget({
  slot,
  failures,
  paused_at: pausedAt,
  pause_cause: cause,
  waiting,
  oldest,
  url,
}: Failing & { readonly url: string | null }) {
  const { client, resources, toast } = useApp();
  const { name } = useEnvironment();
  const path = useEnvironmentPath();
  const mayResume = useMay('developer') && url !== null && pausedAt !== null;
  const { run, isRunning, error } = useAction(async () => {
    // Setting a URL ends the pause of its target, even if it is the same URL.
    await client.send('PATCH', `${path}/settings`, { [COLUMNS[slot]]: url });
    resources.invalidate(path);
    toast(t('resumed'));
  });
  const target = t(COLUMNS[slot]);
  const days = t.count('days', useMe().log_retention_days);
  return (
    <>
      <Note tone="bad" title={t(pausedAt === null ? 'target_failing' : 'target_paused', { target })}>
        {pausedAt !== null && (
          <p>
            {cause !== null && `${sentence(cause)} `}
            {t('paused_since')} <RelativeTime at={pausedAt} />.
          </p>
        )}
        <p>{pausedAt === null ? t('failing_hint', { failures }) : t(url === null ? 'removed_hint' : 'paused_hint', { days })}</p>
        {oldest !== null && (
          <p>
            {t.waiting('waiting', waiting)} <Elapsed since={oldest} />.
          </p>
        )}
        <div class="actions">
          {mayResume && (
            <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
              {waiting === 0 ? t('resume') : t.count('resume', waiting)}
            </button>
          )}
          <a class="btn" href={pathOf(['e', name, 'webhooks', 'sent'])}>
            {t('see_sent')}
          </a>
        </div>
      </Note>
      {error && <Failure error={error} />}
    </>
  );
}
