import { useState } from 'preact/hooks';
import { Failure } from '../../components/failure.tsx';
import { LinkDialog } from '../../components/link-dialog.tsx';
import { useApp } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useAction } from '../../hooks/use-action.ts';
import type { Reply } from '../../wire.ts';
import { type Address, changedPath } from './shown-connection.ts';
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
    resources.invalidate(changedPath(address.environment));
  };
  return (
    <>
      <button type="button" class={isUrgent ? 'btn primary' : 'btn'} disabled={isRunning} onClick={() => void run()}>
        {t('reconnect')}
      </button>
      {error && <Failure error={error} />}
      {session && (
        <LinkDialog
          title={t('reconnect_heading')}
          hint={(time) => t('reconnect_hint', { time })}
          session={session}
          what={t('reconnect_link')}
          verb={t('reconnect_now')}
          onClose={close}
        />
      )}
    </>
  );
}
