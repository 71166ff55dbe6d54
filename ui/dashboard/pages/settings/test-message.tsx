import { useApp, useMay } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useAction } from '../../components/use-action.ts';
import { useEnvironmentPath } from './settings-page.tsx';
import { t } from './texts.ts';

/** The head of the list of webhooks, with a menu that sends a test. @param id ID of the heading */
export function MessagesHead({ id }: { readonly id: string }) {
  const mayChange = useMay('developer');
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
      <div class="line-up">
        <h2 id={id} class="grow">
          {t('messages')}
        </h2>
        {mayChange && (
          <Menu button={button}>
            <MenuItem onClick={() => void auth.run()}>{t('test_auth')}</MenuItem>
            <MenuItem onClick={() => void forward.run()}>{t('test_forward')}</MenuItem>
          </Menu>
        )}
      </div>
      {error && <Failure error={error} />}
    </>
  );
}

function useTestMessage(type: 'auth' | 'forward') {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  return useAction(async () => {
    const { data } = await client.send<Reply<'sendTestWebhookMessage'>>('POST', `${path}/webhook-messages/test`, { type });
    resources.invalidate(`${path}/deliveries`);
    toast(t(data.is_held ? 'test_held' : 'test_sent'));
  });
}
