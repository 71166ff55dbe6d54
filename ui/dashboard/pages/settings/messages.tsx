import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Tone } from '../../core/tone.ts';
import { useList } from '../../hooks/use-list.ts';
import type { Reply } from '../../wire.ts';
import { MessageDialog } from './message-dialog.tsx';
import { useEnvironmentPath } from './settings-page.tsx';
import { t } from './texts.ts';

type Message = Reply<'listWebhookMessages'>['data'][number];

const TONES: Readonly<Record<Message['status'], Tone>> = { pending: 'idle', delivered: 'ok', failed: 'bad', paused: 'warn' };

/** Messages to the application, with what became of each. */
export function Messages() {
  const path = `${useEnvironmentPath()}/webhook-messages`;
  const [open, setOpen] = useState<string | undefined>();
  const columns: readonly Column<Message>[] = [
    {
      head: t('message'),
      cell: ({ id, type, operation }) => (
        <button type="button" class="btn quiet" onClick={() => setOpen(id)}>
          {[type, operation].filter(Boolean).join(' · ')}
        </button>
      ),
    },
    {
      head: t('message_status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{t(`status_${status}`)}</Badge>,
      phone: 'second',
    },
    { head: t('connection'), cell: ({ connection_id: id }) => <span class="clip">{id ?? '–'}</span>, isWide: true },
    { head: t('next_attempt'), cell: ({ next_attempt_at: at }) => (at === null ? '–' : <RelativeTime at={at} />), isWide: true },
    { head: t('created'), cell: ({ created_at: at }) => <RelativeTime at={at} />, isNumber: true, phone: 'end' },
  ];
  const list = useList<Message>(path);
  const empty = <Empty title={t('no_messages')} hint={t('no_messages_hint')} />;
  return (
    <section class="stack" aria-labelledby="messages">
      <h2 id="messages">{t('messages')}</h2>
      <DataTable caption={t('messages')} list={list} columns={columns} keyOf={({ id }) => id} empty={empty} />
      {open !== undefined && <MessageDialog path={path} id={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}
