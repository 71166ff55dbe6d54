import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useMay } from '../../context.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { Reply } from '../../wire.ts';
import { t } from './texts.ts';

type Message = Reply<'getWebhookMessage'>['data'];

interface MessageDialogProps {
  /** Of all messages. */
  readonly path: string;
  readonly id: string;
  readonly onClose: () => void;
}

/** One message: what was sent, each attempt, and the way to send it again. */
export function MessageDialog({ path, id, onClose }: MessageDialogProps) {
  const { client, resources, toast } = useApp();
  const address = `${path}/${encodeURIComponent(id)}`;
  const { value, error, reload } = useResource<{ readonly data: Message }>(address);
  const replay = useAction(async () => {
    await client.send('POST', `${address}/replay`);
    resources.invalidate(path);
    toast(t('resent'));
    onClose();
  });
  const mayReplay = useMay('developer');
  return (
    <Dialog title={t('message_heading', { id })} onClose={onClose}>
      <div class="stack">
        {error && <Failure error={error} onRetry={reload} />}
        {replay.error && <Failure error={replay.error} />}
        {value === undefined ? !error && <Skeleton rows={4} /> : <Sent {...value.data} />}
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {t('close')}
          </button>
          {mayReplay && (
            <button type="button" class="btn primary" disabled={replay.isRunning} onClick={() => void replay.run()}>
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
      <ul class="plain">
        {attempts.map(({ at, url, status, duration_ms: ms, error }) => (
          <li key={at}>
            <RelativeTime at={at} /> · <code>{url}</code> · {status ?? error ?? '–'} · {ms} ms
          </li>
        ))}
      </ul>
      <CodeBlock label={t('payload')} snippets={{ JSON: JSON.stringify(payload, null, 2) }} />
    </>
  );
}
