import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { useApp } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { localeOf } from '../../core/times.ts';
import { useAction } from '../../hooks/use-action.ts';
import type { Reply } from '../../wire.ts';
import { type Address, connectionsPath } from './shown-connection.ts';
import { t } from './texts.ts';

type Session = Reply<'createReconnectSession'>['data'];

interface ReconnectProps {
  readonly address: Address;
  /** Nothing else on the page matters more. */
  readonly isUrgent: boolean;
}

/** A link by which the connection is authorized anew: for its user, or to be opened here. */
export function Reconnect({ address, isUrgent }: ReconnectProps) {
  const { client, resources } = useApp();
  const [session, setSession] = useState<Session | undefined>();
  const { run, isRunning, error } = useAction(async () => {
    const path = pathOf(['api', 'ui', 'e', address.environment, 'connect', 'sessions', 'reconnect']);
    const body = { connection_id: address.id, integration_id: address.integration };
    setSession((await client.send<Reply<'createReconnectSession'>>('POST', path, body)).data);
  });
  const close = () => {
    setSession(undefined);
    resources.invalidate(connectionsPath(address.environment));
  };
  return (
    <>
      <button type="button" class={isUrgent ? 'btn primary' : 'btn'} disabled={isRunning} onClick={() => void run()}>
        {t('reconnect')}
      </button>
      {error && <Failure error={error} />}
      {session && <LinkDialog session={session} onClose={close} />}
    </>
  );
}

function LinkDialog({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) {
  const until = new Intl.DateTimeFormat(localeOf(navigator.languages), { timeStyle: 'short' });
  return (
    <Dialog title={t('reconnect_heading')} onClose={onClose}>
      <div class="stack">
        <p>{t('reconnect_hint', { time: until.format(new Date(session.expires_at)) })}</p>
        <code class="wrap">{session.connect_link}</code>
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {t('close')}
          </button>
          <CopyButton text={session.connect_link} what={t('reconnect_link')} isWide />
          <a class="btn primary" href={session.connect_link} target="_blank" rel="noreferrer">
            {t('reconnect_now')}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
