import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Note } from '../../components/note.tsx';
import { useApp, useMay, useMe } from '../../context.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useForm } from '../../hooks/use-form.ts';
import { REDIRECTS } from '../../snippets/code.ts';
import type { Reply } from '../../wire.ts';
import { LoadedSettings, type Settings, SettingsPage, useEnvironmentPath } from './settings-page.tsx';
import { t } from './texts.ts';

type Found = Reply<'checkCallbackUrl'>['data'];

/** The address that providers send people back to. */
export function Callback() {
  return (
    <SettingsPage>
      <LoadedSettings>
        {(settings) => (
          <div class="stack narrow">
            <Card title={t('callback')}>
              <div class="stack">
                <p class="soft">{t('callback_effective')}</p>
                <Copyable text={settings.effective_callback_url} what={t('callback')} />
                <CheckRedirect />
              </div>
            </Card>
            <OwnCallback {...settings} />
            {settings.callback_url && <Redirect from={settings.callback_url} />}
          </div>
        )}
      </LoadedSettings>
    </SettingsPage>
  );
}

function OwnCallback({ callback_url: own }: Settings) {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  const mayChange = useMay('developer');
  const form = useForm({
    initial: { callback_url: own ?? '' },
    async send({ callback_url: url }) {
      await client.send('PATCH', `${path}/settings`, { callback_url: url.trim() || null });
      resources.invalidate(path);
      form.reset({ callback_url: url.trim() });
      toast(t('saved'));
    },
  });
  if (!mayChange) return null;
  return (
    <Card title={t('callback_own')}>
      <Form form={form}>
        <Note tone="warn">{t('callback_warning')}</Note>
        <TextField form={form} name="callback_url" label={t('callback_url')} isCode isOptional help={t('callback_help')} />
        <div class="actions">
          <button type="submit" class="btn primary" disabled={form.isSending}>
            {t('save')}
          </button>
        </div>
      </Form>
    </Card>
  );
}

/** What stands at a callback URL of one's own. */
function Redirect({ from }: { readonly from: string }) {
  const to = `${useMe().base_url}/oauth/callback`;
  const { pathname } = new URL(from);
  const written = Object.entries(REDIRECTS).map(([server, write]) => [server, write(pathname, to)]);
  return (
    <Card title={t('callback_redirect')}>
      <CodeBlock label={t('callback_redirect')} snippets={Object.fromEntries(written)} />
    </Card>
  );
}

function CheckRedirect() {
  const { client } = useApp();
  const path = useEnvironmentPath();
  const mayCheck = useMay('developer');
  const [found, setFound] = useState<Found | undefined>();
  const { run, isRunning, error } = useAction(async () => {
    setFound((await client.send<Reply<'checkCallbackUrl'>>('POST', `${path}/callback-url/check`, {})).data);
  });
  if (!mayCheck) return null;
  return (
    <>
      {error && <Failure error={error} />}
      <p role="status">
        {found && t(`verdict_${found.verdict}`, { status: found.status ?? '–', location: found.location ?? '–' })}
      </p>
      <div class="actions">
        <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
          {t('check_redirect')}
        </button>
      </div>
    </>
  );
}
