import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Failure } from '../../components/failure.tsx';
import { LinkDialog } from '../../components/link-dialog.tsx';
import { openInNewTab } from '../../components/new-tab.ts';
import { useAction } from '../../components/use-action.ts';
import { type Address, changedPath } from './shown-connection.ts';
import { t } from './texts.ts';

type Session = Reply<'createReconnectSession'>['data'];

/** The ways to a link by which a connection is authorized anew. */
interface Reconnecting {
  /** For whoever is to open it. */
  readonly show: () => void;
  readonly copy: () => void;
  /** Within a click: in a tab of its own; where the browser opens none, it is shown. */
  readonly open: () => void;
  readonly isRunning: boolean;
  /** What came of it, to be shown on the page. */
  readonly outcome: ComponentChildren;
}

export function useReconnect(address: Address): Reconnecting {
  const { client, resources, toast } = useApp();
  const [session, setSession] = useState<Session | undefined>();
  const make = async () => {
    const path = pathOf(['api', 'ui', 'e', address.environment, 'connect', 'sessions', 'reconnect']);
    const body = { connection_id: address.id, integration_id: address.integration };
    return (await client.send<Reply<'createReconnectSession'>>('POST', path, body)).data;
  };
  const show = useAction(async () => setSession(await make()));
  const copy = useAction(async () => {
    const made = await make();
    setSession(made);
    await navigator.clipboard.writeText(made.connect_link).then(
      () => toast(t('reconnect_copied')),
      () => undefined,
    );
  });
  const open = useAction(async () => {
    const making = make();
    const unopened = await openInNewTab(async () => (await making).connect_link);
    if (unopened !== undefined) setSession(await making);
  });
  const close = () => {
    setSession(undefined);
    resources.invalidate(changedPath(address.environment));
  };
  const error = show.error ?? copy.error ?? open.error;
  return {
    show: () => void show.run(),
    copy: () => void copy.run(),
    open: () => void open.run(),
    isRunning: show.isRunning || copy.isRunning || open.isRunning,
    outcome: (
      <>
        {error && <Failure error={error} />}
        {session && <ReconnectDialog session={session} onClose={close} />}
      </>
    ),
  };
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
