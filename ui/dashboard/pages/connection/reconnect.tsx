import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import { Failure } from '../../components/failure.tsx';
import { LinkDialog } from '../../components/link-dialog.tsx';
import { type Address, createReconnectSession, type ReconnectSession } from '../../components/reconnect-session.ts';
import { useAction } from '../../components/use-action.ts';
import { changedPath } from './shown-connection.ts';
import { t } from './texts.ts';

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
  const [session, setSession] = useState<ReconnectSession | undefined>();
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

function ReconnectDialog({ session, onClose }: { readonly session: ReconnectSession; readonly onClose: () => void }) {
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
