import { useApp, useEnvironment, useMayHoldSecrets } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useAction } from '../../components/use-action.ts';
import type { TabProps } from './shown-integration.ts';
import { t } from './texts.ts';

type Script = Reply<'listScripts'>['data'][number];

/** The scripts of an integration, with their switches. */
export function ScriptsTab({ path, integration }: TabProps) {
  const { name } = useEnvironment();
  const mayAdd = useMayHoldSecrets();
  const key = integration.unique_key;
  const add = mayAdd && (
    <a class="btn" href={`${pathOf(['e', name, 'scripts', 'new'])}?${new URLSearchParams({ integration: key })}`}>
      {t('new_script')}
    </a>
  );
  const scripts = useResource<One<readonly Script[]>>(`${path}/scripts`);
  if (scripts.value === undefined && scripts.error !== undefined)
    return <Failure error={scripts.error} onRetry={scripts.reload} />;
  if (scripts.value === undefined) return <Skeleton rows={3} />;
  const { data } = scripts.value;
  return (
    <div class="narrow">
      <Card title={t('tab_scripts')} aside={data.length > 0 && add} isFlush>
        {data.length === 0 ? (
          <Empty title={t('no_scripts')} hint={t('no_scripts_hint')}>
            {add}
          </Empty>
        ) : (
          <ul class="rows">
            {data.map((script) => (
              <ScriptRow
                key={script.event}
                path={`${path}/scripts`}
                href={pathOf(['e', name, 'scripts', key, script.event])}
                script={script}
              />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

interface ScriptRowProps {
  readonly path: string;
  /** The address of the script's page. */
  readonly href: string;
  readonly script: Script;
}

function ScriptRow({ path, href, script }: ScriptRowProps) {
  const { client, resources } = useApp();
  const mayChange = useMayHoldSecrets();
  const { event, version, enabled, created_at: at } = script;
  const change = useAction(async () => {
    await client.send('PATCH', `${path}/${encodeURIComponent(event)}`, { enabled: !enabled });
    resources.invalidate(path);
  });
  return (
    <li>
      {change.error && <Failure error={change.error} />}
      <input
        type="checkbox"
        class="switch"
        role="switch"
        aria-label={t('script_enable', { event })}
        checked={enabled}
        aria-checked={enabled}
        disabled={!mayChange || change.isRunning}
        onChange={() => void change.run()}
      />
      <span class="grow two">
        <a href={href}>
          <code>{event}</code>
        </a>
        <span class="small soft">
          {t(enabled ? 'on' : 'off')} · {t('script_version', { version })} <RelativeTime at={at} />
        </span>
      </span>
    </li>
  );
}
