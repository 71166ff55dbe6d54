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
  /** The `unique_key` of the integration; undefined when the user who opens the link chooses one. */
  readonly integration?: string | undefined;
  readonly tags: Tags;
  /** Default values of `connection_config`, which the window then does not ask for. Only used with an integration. */
  readonly defaults?: object | undefined;
}

/** Returns a function that creates connect sessions in the environment of the page. */
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
    // The prefix covers lists and counts of connections: by the time the user comes back to one, an account may have been
    // connected.
    resources.invalidate(`${base}/connection`);
    return data;
  };
}

export interface ConnectTab extends Action {
  /** The link, if the browser did not open a tab for it. */
  readonly blocked: string | undefined;
}

/** Returns an action that opens a new connect link in a new tab. It must be run during a click. */
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
