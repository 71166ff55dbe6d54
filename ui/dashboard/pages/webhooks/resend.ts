import { useApp, useEnvironmentPath } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { type Action, useAction } from '../../components/use-action.ts';
import { t } from './texts.ts';

/** Returns an action that sends a webhook again, which also resumes a paused target. */
export function useResend(id: string, onDone?: () => void): Action {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  return useAction(async () => {
    const replay = `${path}/webhook-messages/${encodeURIComponent(id)}/replay`;
    const { is_held: isHeld } = await client.send<Reply<'replayWebhookMessage'>>('POST', replay);
    resources.invalidate(path);
    toast(t(isHeld ? 'resent_held' : 'resent'));
    onDone?.();
  });
}

/** Returns an action that sends all webhooks again that match these filters. */
export function useResendAll(filters: Readonly<Record<string, string>>): Action {
  const { client, resources, toast } = useApp();
  const path = useEnvironmentPath();
  return useAction(async () => {
    const { data } = await client.send<Reply<'replayWebhookMessages'>>('POST', `${path}/webhook-messages/replay`, filters);
    resources.invalidate(path);
    toast(resentText(data));
  });
}

function resentText({ count, is_held: isHeld, has_more: hasMore }: Reply<'replayWebhookMessages'>['data']): string {
  return [t.count('resent_all', count), isHeld && t('resent_all_held'), hasMore && t('resent_all_more')]
    .filter(Boolean)
    .join(' ');
}
