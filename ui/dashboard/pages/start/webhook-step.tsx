import { Badge } from '../../components/badge.tsx';
import { Failure } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useApp, useEnvironment, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useForm } from '../../hooks/use-form.ts';
import { type Onboarding, useApiPath } from './onboarding.ts';
import { Payload } from './payload.tsx';
import { Step } from './step.tsx';
import { t } from './texts.ts';

type Webhook = NonNullable<Onboarding['webhook']>;

/** Ticked by a message that has arrived, not by one that is under way. */
export function WebhookStep({ webhook, has_received: hasReceived }: Onboarding) {
  const { is_production: isProduction } = useEnvironment();
  const mayChange = useMay('developer');
  const isUnderWay = webhook === null || (webhook.status === 'pending' && webhook.last_attempt === null);
  return (
    <Step title={t('webhook')} hint={t(isProduction ? 'webhook_hint' : 'webhook_hint_inbox')} isDone={hasReceived}>
      <div class="stack tight">
        {mayChange && !isProduction && <UseInbox />}
        {mayChange && <UseOwnUrl />}
        {isUnderWay && <p class="soft">{t(hasReceived ? 'webhook_under_way' : 'webhook_waiting')}</p>}
        {webhook && !isUnderWay && <Outcome {...webhook} />}
        {webhook && <Links />}
      </div>
    </Step>
  );
}

/** Sends a test there at once, so that the step shows what comes of it. */
function useTarget(): (url: string) => Promise<void> {
  const { client, resources } = useApp();
  const path = useApiPath();
  return async (url) => {
    await client.send('PATCH', `${path}/settings`, { webhook_url: url, on_new_connection: true });
    await client.send('POST', `${path}/webhook-messages/test`, { type: 'auth' });
    resources.invalidate(`${path}/`);
  };
}

function UseInbox() {
  const sendTo = useTarget();
  const { run, isRunning, error } = useAction(() => sendTo('inbox'));
  return (
    <>
      {error && <Failure error={error} />}
      <div>
        <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
          {t('use_inbox')}
        </button>
      </div>
    </>
  );
}

function UseOwnUrl() {
  const sendTo = useTarget();
  const form = useForm({
    initial: { webhook_url: '' },
    check: ({ webhook_url: url }) => (url.trim() === '' ? { webhook_url: t('own_url_missing') } : {}),
    send: ({ webhook_url: url }) => sendTo(url.trim()),
  });
  return (
    <Form form={form}>
      <TextField form={form} name="webhook_url" label={t('own_url')} help={t('own_url_help')} isCode />
      <div>
        <button type="submit" class="btn" disabled={form.isSending}>
          {t('save')}
        </button>
      </div>
    </Form>
  );
}

function Outcome({ id, status, last_attempt: attempt }: Webhook) {
  const isDelivered = status === 'delivered';
  return (
    <>
      <p class="line-up">
        <Badge tone={isDelivered ? 'ok' : 'bad'}>{t(isDelivered ? 'webhook_received' : 'webhook_failed')}</Badge>
        {attempt && <RelativeTime at={attempt.at} />}
      </p>
      {reasonsOf(status, attempt).map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <Payload key={id} id={id} />
    </>
  );
}

/** Why it has not arrived, and what becomes of it. */
function reasonsOf(status: Webhook['status'], attempt: Webhook['last_attempt']): readonly string[] {
  if (status === 'delivered') return [];
  const answer = attempt?.status == null ? attempt?.error : t('webhook_answered', { status: String(attempt.status) });
  const next = status === 'failed' ? undefined : t(status === 'paused' ? 'webhook_paused' : 'webhook_tried_again');
  return [answer, next].filter((text) => text != null);
}

function Links() {
  const { name, is_production: isProduction } = useEnvironment();
  return (
    <p>
      <a href={pathOf(['e', name, 'settings', 'webhooks'])}>{t('show_messages')}</a>
      {!isProduction && (
        <>
          {' · '}
          <a href={pathOf(['e', name, 'inbox'])}>{t('show_inbox')}</a>
        </>
      )}
    </p>
  );
}
