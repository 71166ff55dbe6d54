import { useApp, useEnvironment } from '../context.ts';
import { openInNewTab } from '../core/new-tab.ts';
import { pathOf } from '../core/router.ts';
import type { Tags } from '../core/tags.ts';
import { t } from '../texts/en.ts';
import type { Reply } from '../wire.ts';

export type ConnectSession = Reply<'createConnectSession'>['data'];

export interface WantedSession {
  /** Its key; undefined: whoever opens the link chooses one. */
  readonly integration?: string | undefined;
  readonly tags: Tags;
  /** Of `connection_config`: the window does not ask for them. Only with an integration. */
  readonly defaults?: object | undefined;
}

interface ConnectSessions {
  create(wanted: WantedSession): Promise<ConnectSession>;
  /** Within a click: its link in a tab of its own. */
  open(wanted: WantedSession): Promise<void>;
}

/** Permissions to connect an account, in the environment of the page. */
export function useConnectSession(): ConnectSessions {
  const { client, resources, toast } = useApp();
  const { name } = useEnvironment();
  const base = pathOf(['api', 'ui', 'e', name]);
  const create = async ({ integration, tags, defaults }: WantedSession) => {
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
  return {
    create,
    async open(wanted) {
      const isOpen = await openInNewTab(async () => (await create(wanted)).connect_link);
      toast(t(isOpen ? 'connect_opened' : 'connect_blocked'));
    },
  };
}
