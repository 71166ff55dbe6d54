import { useApp } from '../../app/context.ts';
import { type Action, useAction } from '../../components/use-action.ts';
import { useEnvironmentPath } from './settings-page.tsx';
import { t } from './texts.ts';

/** Sends a message again; a target that was paused goes on with it. */
export function useResend(id: string, onDone?: () => void): Action {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  return useAction(async () => {
    await client.send('POST', `${path}/webhook-messages/${encodeURIComponent(id)}/replay`);
    resources.invalidate(path);
    toast(t('resent'));
    onDone?.();
  });
}

/** The same for all that these filters leave. */
export function useResendAll(filters: Readonly<Record<string, string>>): Action {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  return useAction(async () => {
    const { data } = await client.send<{ readonly data: { readonly count: number } }>(
      'POST',
      `${path}/webhook-messages/replay`,
      filters,
    );
    resources.invalidate(path);
    toast(t.count('resent_all', data.count));
  });
}
