import { useState } from 'preact/hooks';
import { useApp, useMe } from '../../app/context.ts';
import { Failure } from '../../components/failure.tsx';
import { LinkDialog } from '../../components/link-dialog.tsx';
import type { Tags } from '../../components/tags.ts';
import { type Action, useAction } from '../../components/use-action.ts';
import { type ConnectSession, useConnectSession, type WantedSession } from '../../components/use-connect-session.ts';
import { t } from './texts.ts';

/** Returns the tags by which the member finds their own test connections again. */
export function useTestTags(): Tags {
  const { id, name, email } = useMe();
  return { end_user_id: `test_${id}`, end_user_email: email, end_user_display_name: name };
}

interface Link extends Action {
  /** The session of the link; undefined before one is created. */
  readonly session: ConnectSession | undefined;
  close(): void;
}

/** Returns an action that creates a connect link and copies it, if the browser allows that. */
export function useConnectLink(wanted: WantedSession): Link {
  const { toast } = useApp();
  const create = useConnectSession();
  const [session, setSession] = useState<ConnectSession | undefined>();
  const action = useAction(async () => {
    const made = await create(wanted);
    setSession(made);
    await navigator.clipboard.writeText(made.connect_link).then(
      () => toast(t('link_copied')),
      () => undefined,
    );
  });
  return { ...action, session, close: () => setSession(undefined) };
}

/** Shows the new connect link, or the error. */
export function MadeLink({ session, error, close }: Link) {
  return (
    <>
      {error && <Failure error={error} />}
      {session && (
        <LinkDialog
          title={t('link_heading')}
          hint={(time) => t('link_hint', { time })}
          session={session}
          copy={t('copy_link')}
          open={t('open_link')}
          onClose={close}
        />
      )}
    </>
  );
}
