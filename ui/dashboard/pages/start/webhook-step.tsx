import { useApp, useEnvironment, useEnvironmentPath, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Badge } from '../../components/badge.tsx';
import { Failure } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { dateFormat, localeOf } from '../../components/times.ts';
import { useAction } from '../../components/use-action.ts';
import { useForm } from '../../components/use-form.ts';
import type { Onboarding, StepState } from './onboarding.ts';
import { Payload } from './payload.tsx';
import { buttonClass, Step } from './step.tsx';
import { t } from './texts.ts';

type Webhook = NonNullable<Onboarding['webhook']>;

/** The texts for attempts without a response, by their error code. */
const NO_RESPONSE = {
  unreachable: 'webhook_unreachable',
  timeout: 'webhook_late',
  address_not_allowed: 'webhook_not_allowed',
  internal: 'webhook_fault',
  interrupted: 'webhook_interrupted',
} as const;

/** The step that receives a webhook. It is ticked once a webhook has arrived, not while one is still being sent. */
export function WebhookStep(found: StepState) {
  const { webhook, has_received: hasReceived, isNext } = found;
  const { is_production: isProduction } = useEnvironment();
  const mayChange = useMay('developer');
  const hasInbox = mayChange && !isProduction;
  const isUnderWay = webhook === null || (webhook.status === 'pending' && webhook.last_attempt === null);
  return (
    <Step title={t('webhook')} hint={t(isProduction ? 'webhook_hint' : 'webhook_hint_inbox')} isDone={hasReceived}>
      {hasInbox && <UseInbox isNext={isNext} />}
      {hasInbox && <p class="soft">{t('or')}</p>}
      {mayChange && <UseOwnUrl isNext={isNext && !hasInbox} />}
      {isUnderWay && <p class="soft">{waitingText(found)}</p>}
      {webhook && !isUnderWay && <Outcome {...webhook} />}
      {webhook && <Links />}
    </Step>
  );
}

/** Says what the step waits for, or why nothing is sent. */
function waitingText(found: Onboarding): string {
  const { webhook_held_until: heldUntil } = found;
  if (!found.has_webhook_url) return t('webhook_no_url');
  if (found.is_webhook_paused) return t('webhook_paused');
  if (heldUntil !== null) return t('webhook_held', { time: timeOf(heldUntil) });
  if (found.webhook === null && !found.on_new_connection) return t('webhook_event_off');
  return t(found.has_received ? 'webhook_under_way' : 'webhook_waiting');
}

function timeOf(at: string): string {
  return dateFormat(localeOf(navigator.languages), { timeStyle: 'short' }).format(new Date(at));
}

/** Returns a function that sets the target and immediately sends a test to it, so that the step shows the outcome. */
function useTarget(): (url: string) => Promise<void> {
  const { client, resources } = useApp();
  const path = useEnvironmentPath();
  return async (url) => {
    await client.send('PATCH', `${path}/settings`, { webhook_url: url, on_new_connection: true });
    await client.send('POST', `${path}/webhook-messages/test`, { type: 'auth' });
    resources.invalidate(`${path}/`);
  };
}

function UseInbox({ isNext }: Pick<StepState, 'isNext'>) {
  const sendTo = useTarget();
  const { run, isRunning, error } = useAction(() => sendTo('inbox'));
  return (
    <>
      {error && <Failure error={error} />}
      <div>
        <button type="button" class={buttonClass(isNext)} disabled={isRunning} onClick={() => void run()}>
          {t('use_inbox')}
        </button>
      </div>
    </>
  );
}

function UseOwnUrl({ isNext }: Pick<StepState, 'isNext'>) {
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
        <button type="submit" class={buttonClass(isNext)} disabled={form.isSending}>
          {t('save')}
        </button>
      </div>
    </Form>
  );
}

function Outcome({ id, status, last_attempt: attempt }: Webhook) {
  const isDelivered = status === 'delivered';
  return (
    <div class="stack tight">
      <p class="line-up">
        <Badge tone={isDelivered ? 'ok' : 'bad'}>{t(isDelivered ? 'webhook_received' : 'webhook_failed')}</Badge>
        {attempt && <RelativeTime at={attempt.at} />}
      </p>
      {!isDelivered && <p>{reasonsOf(status, attempt).join(' ')}</p>}
      {!isDelivered && attempt?.error != null && <code class="small soft wrap">{attempt.error}</code>}
      <Payload key={id} id={id} />
    </div>
  );
}

/** Returns why the webhook has not arrived, and what happens next. */
function reasonsOf(status: Webhook['status'], attempt: Webhook['last_attempt']): readonly string[] {
  const answer =
    attempt &&
    (attempt.status === null
      ? t(NO_RESPONSE[attempt.error as keyof typeof NO_RESPONSE] ?? 'webhook_silent')
      : t('webhook_answered', { status: String(attempt.status) }));
  const next = status === 'failed' ? undefined : t(status === 'paused' ? 'webhook_paused' : 'webhook_tried_again');
  return [answer, next].filter((text) => text != null);
}

function Links() {
  const { name, is_production: isProduction } = useEnvironment();
  return (
    <p>
      <a href={pathOf(['e', name, 'webhooks', 'sent'])}>{t('show_messages')}</a>
      {!isProduction && (
        <>
          {' · '}
          <a href={pathOf(['e', name, 'webhooks', 'inbox'])}>{t('show_inbox')}</a>
        </>
      )}
    </p>
  );
}
