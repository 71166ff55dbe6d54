import { useState } from 'preact/hooks';
import { useApp, useEnvironmentPath, useMe } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Failure } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import type { Settings } from '../../components/loaded-settings.tsx';
import { Note } from '../../components/note.tsx';
import { REDIRECTS } from '../../components/snippets/code.ts';
import { useAction } from '../../components/use-action.ts';
import { useForm } from '../../components/use-form.ts';
import { findingsOf } from './redirect-findings.ts';
import { t } from './texts.ts';

type Check = Reply<'checkCallbackUrl'>['data'];

/**
 * The form for a custom callback URL. Before the URL is saved, the form shows the redirect that it needs, and checks that the
 * redirect works.
 */
export function OwnCallback({ callback_url: own }: Settings) {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  const [checked, setChecked] = useState<{ readonly url: string; readonly found: Check } | undefined>();
  const form = useForm({
    initial: { callback_url: own ?? '' },
    async send({ callback_url: url }) {
      const { data } = await client.send<Reply<'changeSettings'>>('PATCH', `${path}/settings`, {
        callback_url: url.trim() || null,
      });
      resources.invalidate(path);
      form.reset({ callback_url: data.callback_url ?? '' });
      setChecked(undefined);
      toast(t('saved'));
    },
  });
  const typed = form.values.callback_url.trim();
  const check = useAction(async () => {
    setChecked(undefined);
    const body = { callback_url: typed };
    const { data } = await client.send<Reply<'checkCallbackUrl'>>('POST', `${path}/callback-url/check`, body);
    setChecked({ url: typed, found: data });
  });
  return (
    <>
      <Card title={t('callback_own')}>
        <Form form={form}>
          <Note tone="warn">{t('callback_warning')}</Note>
          <TextField form={form} name="callback_url" label={t('callback_url')} isCode isOptional help={t('callback_help')} />
          {check.error && <Failure error={check.error} />}
          <div role="status">{checked?.url === typed && <Findings found={checked.found} />}</div>
          <div class="actions">
            <button type="submit" class="btn primary" disabled={form.isSending || !form.isChanged}>
              {t('save')}
            </button>
            <button type="button" class="btn" disabled={check.isRunning || typed === ''} onClick={() => void check.run()}>
              {t('check_redirect')}
            </button>
          </div>
        </Form>
      </Card>
      <Redirect from={typed} />
    </>
  );
}

function Findings({ found }: { readonly found: Check }) {
  return (
    <ul class="findings" aria-label={t('redirect_found')}>
      {findingsOf(found).map(({ isRight, text }) => (
        <li key={text}>
          <Badge tone={isRight ? 'ok' : 'bad'}>{t(isRight ? 'redirect_right' : 'redirect_wrong')}</Badge>
          <span class="wrap">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Server configurations for the redirect at a custom callback URL. @param from the typed text, which may not be a URL yet */
export function Redirect({ from }: { readonly from: string }) {
  const to = `${useMe().base_url}/oauth/callback`;
  const url = URL.parse(from);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href === to) return null;
  const written = Object.entries(REDIRECTS).map(([server, write]) => [server, write(url.pathname, to)]);
  return (
    <Card title={t('callback_redirect')}>
      <CodeBlock label={t('callback_redirect')} snippets={Object.fromEntries(written)} />
    </Card>
  );
}
