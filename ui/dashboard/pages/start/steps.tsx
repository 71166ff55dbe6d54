import { Failure } from '../../components/failure.tsx';
import { useApp, useEnvironment, useMay } from '../../context.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useConnectSession } from '../../hooks/use-connect-session.ts';
import { type Onboarding, useApiPath } from './onboarding.ts';
import { Snippet } from './snippet.tsx';
import { Step } from './step.tsx';
import { t } from './texts.ts';

const SANDBOX = { unique_key: 'sandbox', provider: 'sandbox-oauth2' };
const TEST_USER = { end_user_id: 'test-user', end_user_display_name: 'Test user' };

export function KeyStep({ has_api_key: isDone }: Onboarding) {
  const { name } = useEnvironment();
  return (
    <Step title={t('key')} hint={t('key_hint')} isDone={isDone}>
      {useMay('developer') && (
        <a class="btn" href={`e/${name}/settings/keys`}>
          {t('make_key')}
        </a>
      )}
    </Step>
  );
}

export function IntegrationStep({ integration }: Onboarding) {
  const { name, is_production: isProduction } = useEnvironment();
  const { client, resources } = useApp();
  const path = useApiPath();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('POST', `${path}/integrations`, SANDBOX);
    resources.invalidate(`${path}/`);
  });
  const isOpen = useMay('developer') && integration === null;
  return (
    <Step title={t('integration')} hint={t('integration_hint')} isDone={integration !== null}>
      {error && <Failure error={error} />}
      {isOpen && isProduction && <p class="soft">{t('no_sandbox')}</p>}
      {isOpen && (
        <div class="line-up">
          {!isProduction && (
            <button type="button" class="btn primary" disabled={isRunning} onClick={() => void run()}>
              {t('use_sandbox')}
            </button>
          )}
          <a class="btn" href={`e/${name}/integrations/new`}>
            {t('use_catalogue')}
          </a>
        </div>
      )}
    </Step>
  );
}

export function ConnectionStep(found: Onboarding) {
  const { integration, connection } = found;
  const { name } = useEnvironment();
  const session = useConnectSession();
  const { run, isRunning, error } = useAction(() => session.open({ integration: integration ?? undefined, tags: TEST_USER }));
  const mayConnect = useMay('developer') && integration !== null;
  return (
    <Step title={t('connection')} hint={t('connection_hint')} isDone={connection !== null}>
      {error && <Failure error={error} />}
      {mayConnect && (
        <div class="line-up">
          <button
            type="button"
            class={connection === null ? 'btn primary' : 'btn'}
            disabled={isRunning}
            onClick={() => void run()}
          >
            {t('connect')}
          </button>
          <a class="btn" href={`e/${name}/connections/new`}>
            {t('send_link')}
          </a>
        </div>
      )}
      {integration !== null && <Snippet name="session" {...found} />}
    </Step>
  );
}
