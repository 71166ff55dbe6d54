import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Client } from '../../app/client.ts';
import { useApp } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Failure } from '../../components/failure.tsx';
import { LinkDialog } from '../../components/link-dialog.tsx';
import { useAction } from '../../components/use-action.ts';
import { type Address, changedPath } from './shown-connection.ts';
import { t } from './texts.ts';

type Session = Reply<'createReconnectSession'>['data'];

/** The ways to create and use a link by which a user authorizes a connection again. */
interface Reconnecting {
  /** Shows the link, so that it can be sent to the user who is to open it. */
  readonly show: () => void;
  readonly copy: () => void;
  readonly isRunning: boolean;
  /** The dialog or the error, for the page to render. */
  readonly outcome: ComponentChildren;
}

export function useReconnect(address: Address): Reconnecting {
  const { client, resources, toast } = useApp();
  const [session, setSession] = useState<Session | undefined>();
  const make = () => createReconnectSession(client, address);
  const show = useAction(async () => setSession(await make()));
  const copy = useAction(async () => {
    const made = await make();
    setSession(made);
    await navigator.clipboard.writeText(made.connect_link).then(
      () => toast(t('reconnect_copied')),
      () => undefined,
    );
  });
  const close = () => {
    setSession(undefined);
    resources.invalidate(changedPath(address.environment));
  };
  const error = show.error ?? copy.error;
  return {
    show: () => void show.run(),
    copy: () => void copy.run(),
    isRunning: show.isRunning || copy.isRunning,
    outcome: (
      <>
        {error && <Failure error={error} />}
        {session && <ReconnectDialog session={session} onClose={close} />}
      </>
    ),
  };
}

/** Creates a session in which the user of a connection authorizes it again. */
export async function createReconnectSession(client: Client, address: Address): Promise<Session> {
  const path = pathOf(['api', 'ui', 'e', address.environment, 'connect', 'sessions', 'reconnect']);
  const body = { connection_id: address.id, integration_id: address.integration };
  return (await client.send<Reply<'createReconnectSession'>>('POST', path, body)).data;
}

function ReconnectDialog({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) {
  return (
    <LinkDialog
      title={t('reconnect_heading')}
      hint={(time) => t('reconnect_hint', { time })}
      session={session}
      copy={t('copy_reconnect')}
      open={t('reconnect_now')}
      onClose={onClose}
    />
  );
}
