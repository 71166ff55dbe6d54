import { useApp, useEnvironment, useEnvironmentPath, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { BlockedTab } from '../../components/blocked-tab.tsx';
import { Failure } from '../../components/failure.tsx';
import { useAction } from '../../components/use-action.ts';
import { useConnectTab } from '../../components/use-connect-session.ts';
import { MadeLink, useConnectLink } from '../connections/connect-link.tsx';
import type { StepState } from './onboarding.ts';
import { Snippet } from './snippet.tsx';
import { buttonClass, Step } from './step.tsx';
import { t } from './texts.ts';

const SANDBOX = { unique_key: 'notes', provider: 'sandbox-oauth2' };
const TEST_USER = { end_user_id: 'test-user', end_user_display_name: 'Test user' };

export function KeyStep({ api_key: key, isNext }: StepState) {
  const { name } = useEnvironment();
  return (
    <Step title={t('key')} hint={t('key_hint')} isDone={key !== null}>
      {key && (
        <p class="wrap">
          <bdi>{key.name}</bdi> <code class="faint">{`••••${key.last4}`}</code>
        </p>
      )}
      {useMay('developer') && (
        <a class={buttonClass(isNext)} href={`e/${name}/settings/keys`}>
          {t(key === null ? 'make_key' : 'make_another_key')}
        </a>
      )}
    </Step>
  );
}

export function IntegrationStep({ integration, isNext }: StepState) {
  const { name, is_production: isProduction } = useEnvironment();
  const { client, resources } = useApp();
  const path = useEnvironmentPath();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('POST', `${path}/integrations`, SANDBOX);
    resources.invalidate(`${path}/`);
  });
  const isDone = integration !== null;
  const hasSandbox = !isProduction && !isDone;
  return (
    <Step title={t('integration')} hint={t(isProduction ? 'integration_hint' : 'integration_hint_sandbox')} isDone={isDone}>
      {isDone && (
        <p class="wrap">
          <a href={pathOf(['e', name, 'integrations', integration, 'settings'])}>{integration}</a>
        </p>
      )}
      {error && <Failure error={error} />}
      {useMay('developer') && (
        <div class="actions">
          {hasSandbox && (
            <button type="button" class={buttonClass(isNext)} disabled={isRunning} onClick={() => void run()}>
              {t('use_sandbox')}
            </button>
          )}
          <a class={buttonClass(isNext && !hasSandbox)} href={`e/${name}/integrations/new`}>
            {t(isDone ? 'add_another' : 'use_catalogue')}
          </a>
        </div>
      )}
    </Step>
  );
}

export function ConnectionStep(found: StepState) {
  const { integration, connection, isNext } = found;
  const { is_production: isProduction } = useEnvironment();
  const wanted = { integration: integration ?? undefined, tags: TEST_USER };
  const { run, isRunning, error, blocked } = useConnectTab(wanted);
  const link = useConnectLink(wanted);
  const mayConnect = useMay('developer') && integration !== null;
  return (
    <Step
      title={t('connection')}
      hint={t(isProduction ? 'connection_hint' : 'connection_hint_sandbox')}
      isDone={connection !== null}
    >
      {error && <Failure error={error} />}
      {blocked && <BlockedTab link={blocked} />}
      {mayConnect && (
        <div class="actions">
          <button type="button" class={buttonClass(isNext)} disabled={isRunning} onClick={() => void run()}>
            {t('connect')}
          </button>
          <button type="button" class="btn" disabled={link.isRunning} onClick={() => void link.run()}>
            {t('copy_link')}
          </button>
        </div>
      )}
      <MadeLink {...link} />
      {integration === null ? <p class="soft">{t('needs_integration')}</p> : <Snippet name="session" {...found} />}
    </Step>
  );
}
