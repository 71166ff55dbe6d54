import { useApp } from '../../app/context.ts';
import { type Action, useAction } from '../../components/use-action.ts';
import { useEnvironmentPath } from './settings-page.tsx';
import { t } from './texts.ts';

/** Returns an action that sends a webhook again, which also resumes a paused target. */
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

/** Returns an action that sends all webhooks again that match these filters. */
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
