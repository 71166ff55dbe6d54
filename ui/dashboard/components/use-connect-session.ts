import { useState } from 'preact/hooks';
import { useApp, useEnvironment } from '../app/context.ts';
import type { Reply } from '../app/replies.ts';
import { pathOf } from '../app/router.ts';
import { t } from '../app/texts/en.ts';
import { openInNewTab } from './new-tab.ts';
import type { Tags } from './tags.ts';
import { type Action, useAction } from './use-action.ts';

export type ConnectSession = Reply<'createConnectSession'>['data'];

export interface WantedSession {
  /** Its key; undefined: whoever opens the link chooses one. */
  readonly integration?: string | undefined;
  readonly tags: Tags;
  /** Of `connection_config`: the window does not ask for them. Only with an integration. */
  readonly defaults?: object | undefined;
}

/** Makes permissions to connect an account, in the environment of the page. */
export function useConnectSession(): (wanted: WantedSession) => Promise<ConnectSession> {
  const { client, resources } = useApp();
  const { name } = useEnvironment();
  const base = pathOf(['api', 'ui', 'e', name]);
  return async ({ integration, tags, defaults }: WantedSession) => {
    const body = {
      tags,
      ...(integration !== undefined && { allowed_integrations: [integration] }),
      ...(integration !== undefined &&
        defaults !== undefined && { integrations_config_defaults: { [integration]: { connection_config: defaults } } }),
    };
    const { data } = await client.send<Reply<'createConnectSession'>>('POST', `${base}/connect/sessions`, body);
    // Lists and their numbers: whoever comes back to one of them may have connected in the meantime.
    resources.invalidate(`${base}/connection`);
    return data;
  };
}

export interface ConnectTab extends Action {
  /** The link, after a browser opened no tab for it. */
  readonly blocked: string | undefined;
}

/** Within a click: a new link in a tab of its own. */
export function useConnectTab(wanted: WantedSession): ConnectTab {
  const { toast } = useApp();
  const create = useConnectSession();
  const [blocked, setBlocked] = useState<string | undefined>();
  const action = useAction(async () => {
    const left = await openInNewTab(async () => (await create(wanted)).connect_link);
    setBlocked(left);
    if (left === undefined) toast(t('connect_opened'));
  });
  return { ...action, blocked };
}
