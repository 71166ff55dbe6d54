import { useMay } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { durationText } from '../../components/times.ts';
import { givenUpText } from './message-columns.tsx';
import { useResend } from './resend.ts';
import { useEnvironmentPath } from './settings-page.tsx';
import { t } from './texts.ts';

type Message = Reply<'getDelivery'>['data'];

interface MessageDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A dialog about one webhook: its content, each attempt, and a button that sends it again. */
export function MessageDialog({ id, onClose }: MessageDialogProps) {
  const path = `${useEnvironmentPath()}/deliveries/${encodeURIComponent(id)}`;
  const { value, error, reload } = useResource<Reply<'getDelivery'>>(path);
  const resend = useResend(id, onClose);
  const mayResend = useMay('developer');
  return (
    <Dialog title={t('message_heading', { id })} onClose={onClose}>
      <div class="stack">
        {error && <Failure error={error} onRetry={reload} />}
        {resend.error && <Failure error={resend.error} />}
        {value === undefined ? !error && <Skeleton rows={4} /> : <Sent {...value.data} />}
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {t('close')}
          </button>
          {mayResend && value !== undefined && (
            <button type="button" class="btn primary" disabled={resend.isRunning} onClick={() => void resend.run()}>
              {t('resend')}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Sent({ attempts, payload }: Message) {
  return (
    <>
      <h3>{t('attempts')}</h3>
      {attempts.length === 0 && <p class="soft">{t('no_attempts')}</p>}
      <ul class="stack">
        {attempts.map((attempt) => (
          <Attempt key={attempt.at} {...attempt} />
        ))}
      </ul>
      <h3>{t('payload')}</h3>
      <CodeBlock label={t('payload')} snippets={{ JSON: payload }} />
    </>
  );
}

function Attempt({ at, url, status, duration_ms: ms, error }: Message['attempts'][number]) {
  const givenUp = givenUpText(error);
  if (givenUp !== undefined)
    return (
      <li class="state">
        <Badge tone="bad">{givenUp}</Badge>
        <RelativeTime at={at} />
      </li>
    );
  const isDelivered = status !== null && status >= 200 && status < 300;
  return (
    <li class="stack tight">
      <span class="state">
        <Badge tone={isDelivered ? 'ok' : 'bad'}>{t(isDelivered ? 'status_delivered' : 'status_failed')}</Badge>
        <span>
          {status ?? error ?? '–'} · {durationText(ms)} · <RelativeTime at={at} />
        </span>
      </span>
      <code class="wrap">{url}</code>
    </li>
  );
}
