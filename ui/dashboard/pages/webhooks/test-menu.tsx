import { useApp, useEnvironmentPath } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useAction } from '../../components/use-action.ts';
import { t } from './texts.ts';

/** A menu that sends a test event. */
export function TestMenu() {
  const auth = useTest('auth');
  const forward = useTest('forward');
  const error = auth.error ?? forward.error;
  const button = (
    <>
      {t('send_test')}
      <Icon name="down" />
    </>
  );
  return (
    <>
      <Menu button={button}>
        <MenuItem onClick={() => void auth.run()}>{t('test_auth')}</MenuItem>
        <MenuItem onClick={() => void forward.run()}>{t('test_forward')}</MenuItem>
      </Menu>
      {error && <Failure error={error} />}
    </>
  );
}

function useTest(type: 'auth' | 'forward') {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  return useAction(async () => {
    const { data } = await client.send<Reply<'sendTestWebhookMessage'>>('POST', `${path}/webhook-messages/test`, { type });
    resources.invalidate(`${path}/deliveries`);
    toast(t(data.is_held ? 'test_held' : 'test_sent'));
  });
}
