import { useState } from 'preact/hooks';
import { useApp, useMayHoldSecrets } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useAction } from '../../components/use-action.ts';
import { DiffLines } from './diff-lines.tsx';
import { t } from './texts.ts';
import type { Version } from './version.ts';

type Listed = Reply<'listScriptVersions'>['data'][number];

interface VersionsProps {
  readonly path: string;
  /** Number of the active version. */
  readonly active: number;
  /** True when the script is enabled. */
  readonly isOn: boolean;
  /** The active version with its source; undefined when the member may not see it. */
  readonly current?: Version | undefined;
}

export function Versions({ path, active, isOn, current }: VersionsProps) {
  const versions = useResource<One<readonly Listed[]>>(`${path}/versions`);
  const [compared, setCompared] = useState<number | undefined>();
  return (
    <Card title={t('versions')} isFlush>
      {versions.error && <Failure error={versions.error} onRetry={versions.reload} />}
      <ul class="rows">
        {versions.value?.data.map((one) => (
          <li key={one.version}>
            <span class="grow">
              {t('version_number', { version: one.version })}{' '}
              <span class="soft">
                · <RelativeTime at={one.created_at} />
              </span>
            </span>
            {one.version === active ? (
              <Badge tone="ok">{t('active')}</Badge>
            ) : (
              current && <Former path={path} version={one.version} isOn={isOn} onCompare={() => setCompared(one.version)} />
            )}
          </li>
        ))}
      </ul>
      {current && compared !== undefined && compared !== active && <Diff path={path} version={compared} current={current} />}
    </Card>
  );
}

interface FormerProps {
  readonly path: string;
  readonly version: number;
  readonly isOn: boolean;
  readonly onCompare: () => void;
}

function Former({ path, version, isOn, onCompare }: FormerProps) {
  const { client, resources, toast } = useApp();
  const mayDeploy = useMayHoldSecrets();
  const rollBack = useAction(async () => {
    await client.send('PATCH', path, { version });
    resources.invalidate(path.slice(0, path.lastIndexOf('/')));
    toast(t(isOn ? 'rolled_back' : 'rolled_back_off', { version }));
  });
  return (
    <>
      {rollBack.error && <Failure error={rollBack.error} />}
      <button type="button" class="btn" onClick={onCompare}>
        {t('compare', { version })}
      </button>
      {mayDeploy && (
        <button type="button" class="btn" disabled={rollBack.isRunning} onClick={() => void rollBack.run()}>
          {t('roll_back', { version })}
        </button>
      )}
    </>
  );
}

interface DiffProps {
  readonly path: string;
  readonly version: number;
  readonly current: Version;
}

function Diff({ path, version, current }: DiffProps) {
  const found = useResource<One<Version>>(`${path}/versions/${version}`);
  const before = found.value?.data.source;
  if (before === undefined) return found.error ? <Failure error={found.error} onRetry={found.reload} /> : <Skeleton rows={4} />;
  return (
    <div class="body">
      <DiffLines title={t('changes', { active: current.version, version })} before={before} after={current.source} />
    </div>
  );
}
