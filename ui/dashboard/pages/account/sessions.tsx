import { useApp } from '../../app/context.ts';
import { useList } from '../../app/use-list.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-head.tsx';
import { useAction } from '../../components/use-action.ts';
import { AccountPage } from './account-page.tsx';
import { browserOf } from './browser-name.ts';
import { t } from './texts.ts';

const SESSIONS = 'api/ui/me/sessions';

interface Session {
  readonly id: number;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string;
  readonly user_agent: string;
  readonly is_current: boolean;
}

const COLUMNS: readonly Column<Session>[] = [
  { head: t('session'), cell: (session) => <Device {...session} /> },
  { head: t('address'), cell: ({ address }) => <code>{address}</code>, phone: 'second' },
  { head: t('last_seen'), cell: ({ last_seen_at: at }) => <RelativeTime at={at} />, isNumber: true, phone: 'end-second' },
  { head: t('created'), cell: ({ created_at: at }) => <RelativeTime at={at} />, isNumber: true, isWide: true },
  { head: t('end_session'), cell: (session) => <EndSession {...session} />, phone: 'end' },
];

/** The page of the member's sessions, where they can be ended. */
export function Sessions() {
  const list = useList<Session>(SESSIONS);
  const empty = <Empty title={t('no_sessions')} />;
  return (
    <AccountPage>
      <DataTable
        caption={t('sessions_card')}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        count={(total) => t.count('live_sessions', total)}
        empty={empty}
      />
    </AccountPage>
  );
}

function Device({ user_agent: userAgent }: Session) {
  const { browser, system } = browserOf(userAgent);
  return (
    <span class="clip" title={userAgent}>
      {browser === undefined ? t('unknown_browser') : t('browser_on', { browser, system: system ?? '?' })}
    </span>
  );
}

function EndSession({ id, is_current: isCurrent }: Session) {
  const { client, resources, toast } = useApp();
  const { run, isRunning, error } = useAction(async () => {
    await client.send('DELETE', `${SESSIONS}/${id}`);
    resources.invalidate(SESSIONS);
    toast(t('session_ended'));
  });
  if (isCurrent) return <Badge tone="ok">{t('this_session')}</Badge>;
  return (
    <>
      {error && <Failure error={error} />}
      <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
        {t('end_session')}
      </button>
    </>
  );
}
