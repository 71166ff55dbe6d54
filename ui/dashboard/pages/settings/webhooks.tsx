import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useApp, useMay } from '../../context.ts';
import { useAction } from '../../hooks/use-action.ts';
import { FailingTargets } from './failing-targets.tsx';
import { Messages } from './messages.tsx';
import { LoadedSettings, SettingsPage, useEnvironmentPath } from './settings-page.tsx';
import { SigningKey } from './signing-key.tsx';
import { t } from './texts.ts';
import { StoredTargets, Targets } from './webhook-targets.tsx';

/** Where the application hears of what happens, and what was sent there. */
export function Webhooks() {
  const mayChange = useMay('developer');
  return (
    <SettingsPage>
      <div class="stack">
        <LoadedSettings>
          {(settings) => (
            <>
              <FailingTargets {...settings} />
              {mayChange ? <Targets {...settings} /> : <StoredTargets {...settings} />}
            </>
          )}
        </LoadedSettings>
        {mayChange && <SigningKey />}
        {mayChange && <TestMessage />}
        <Messages />
      </div>
    </SettingsPage>
  );
}

function TestMessage() {
  const auth = useTestMessage('auth');
  const forward = useTestMessage('forward');
  const error = auth.error ?? forward.error;
  const button = (
    <>
      {t('send_test')}
      <Icon name="down" />
    </>
  );
  return (
    <>
      {error && <Failure error={error} />}
      <div class="actions">
        <Menu button={button}>
          <MenuItem onClick={() => void auth.run()}>{t('test_auth')}</MenuItem>
          <MenuItem onClick={() => void forward.run()}>{t('test_forward')}</MenuItem>
        </Menu>
      </div>
    </>
  );
}

function useTestMessage(type: 'auth' | 'forward') {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  return useAction(async () => {
    await client.send('POST', `${path}/webhook-messages/test`, { type });
    resources.invalidate(`${path}/deliveries`);
    toast(t('test_sent'));
  });
}
