import { useState } from 'preact/hooks';
import { useEnvironment, useMay, useMayHoldSecrets, useParams } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { NewVersion } from './new-version.tsx';
import { Runs } from './runs.tsx';
import { ScriptSwitch, scriptPath } from './script-switch.tsx';
import { TestRun } from './test-run.tsx';
import { t } from './texts.ts';
import type { Version } from './version.ts';
import { Versions } from './versions.tsx';

type State = Reply<'listScripts'>['data'][number];

/** The page of a script. */
export function Script() {
  const { name } = useEnvironment();
  const { key = '', event = '' } = useParams();
  const base = `api/ui/e/${encodeURIComponent(name)}`;
  const path = scriptPath(base, key, event);
  const isDeveloper = useMay('developer');
  const all = useResource<One<readonly State[]>>(`${base}/integrations/${encodeURIComponent(key)}/scripts`);
  const state = all.value?.data.find((one) => one.event === event);
  const crumbs = [{ href: pathOf(['e', name, 'scripts']), text: t('heading') }];
  if (state !== undefined)
    return (
      <Page title={event} crumbs={crumbs} lead={<a href={pathOf(['e', name, 'integrations', key, 'scripts'])}>{key}</a>}>
        <div class="stack">
          <div class="line-up">
            <ScriptSwitch base={base} uniqueKey={key} event={event} isOn={state.enabled} label={t('script_enabled')} />
            <span aria-hidden="true">{t('script_enabled')}</span>
          </div>
          {isDeveloper ? (
            <Loaded path={path} integration={key} event={state.event} active={state.version} isOn={state.enabled} />
          ) : (
            <Versions path={path} active={state.version} isOn={state.enabled} />
          )}
          <Runs path={path} integration={key} event={event} />
        </div>
      </Page>
    );
  return (
    <Page title={event} crumbs={crumbs}>
      {all.error && (
        <Failure error={all.error} title={t('broken')} texts={{ unknown_provider_config: t('gone') }} onRetry={all.reload} />
      )}
      {!all.error && (all.value === undefined ? <Skeleton rows={6} /> : <p>{t('gone')}</p>)}
    </Page>
  );
}

interface LoadedProps {
  readonly path: string;
  readonly integration: string;
  readonly event: State['event'];
  readonly active: number;
  /** True when the script is enabled. */
  readonly isOn: boolean;
}

/** The source and its actions, for developers only: a source may contain what others must not read. */
function Loaded({ path, integration, event, active, isOn }: LoadedProps) {
  const found = useResource<One<Version>>(`${path}/versions/${active}`);
  const [isWriting, setWriting] = useState(false);
  const mayDeploy = useMayHoldSecrets();
  if (found.value === undefined)
    return found.error ? <Failure error={found.error} onRetry={found.reload} /> : <Skeleton rows={4} />;
  const current = found.value.data;
  const close = () => setWriting(false);
  if (isWriting)
    return <NewVersion event={event} path={path} initial={current} current={current} onDeployed={close} onCancel={close} />;
  const label = t('source', { version: active });
  return (
    <>
      <section aria-label={label} class="stack">
        <h2>{label}</h2>
        <CodeBlock label={label} snippets={{ [t(current.language)]: current.source }} />
        {mayDeploy && (
          <div class="actions">
            <button type="button" class="btn" onClick={() => setWriting(true)}>
              {t('new_version')}
            </button>
          </div>
        )}
      </section>
      {mayDeploy && <TestRun key={active} path={path} integration={integration} event={event} version={active} />}
      <Versions path={path} active={active} isOn={isOn} current={current} />
    </>
  );
}
