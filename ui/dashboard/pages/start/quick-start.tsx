import { useEffect } from 'preact/hooks';
import { useEnvironment } from '../../app/context.ts';
import { nextStep, stepsDone } from '../../app/quick-start-steps.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Failure } from '../../components/failure.tsx';
import { Note } from '../../components/note.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ApplicationStep } from './application-step.tsx';
import { NextSteps } from './next-steps.tsx';
import type { Onboarding } from './onboarding.ts';
import { ProxyStep } from './proxy-step.tsx';
import { ConnectionStep, IntegrationStep, KeyStep } from './steps.tsx';
import { t } from './texts.ts';
import { WebhookStep } from './webhook-step.tsx';

const LOOK_EVERY_MS = 3_000;

/** The quick start. Each step is ticked once the environment contains its result. */
export function QuickStart() {
  const { name } = useEnvironment();
  const { value, error, reload } = useResource<{ readonly data: Onboarding }>(`api/ui/e/${name}/onboarding`);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [name]);
  if (value === undefined)
    return <Page title={t('heading')}>{error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={5} />}</Page>;
  const { data } = value;
  const next = nextStep(data);
  return (
    <Page title={t('heading')} lead={t('progress', { done: stepsDone(data) })}>
      <ol class="guide">
        <KeyStep {...data} isNext={next === 'key'} />
        <IntegrationStep {...data} isNext={next === 'integration'} />
        <ApplicationStep {...data} isNext={next === 'application'} />
        <ConnectionStep {...data} isNext={next === 'connection'} />
        <WebhookStep {...data} isNext={next === 'webhook'} />
        <ProxyStep {...data} isNext={next === 'proxy'} />
      </ol>
      <div role="status" class="guide">
        {next === undefined && (
          <Note tone="ok">
            <p>{t('all_done')}</p>
            <p>
              <a href={pathOf(['e', name, 'home'])}>{t('to_home')}</a>
            </p>
          </Note>
        )}
      </div>
      <NextSteps {...data} />
    </Page>
  );
}
