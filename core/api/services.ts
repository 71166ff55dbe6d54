import type { BeginDeps } from '../authorization/begin.ts';
import type { CallbackDeps } from '../authorization/callback.ts';
import type { SessionDeps } from '../connect-sessions/sessions.ts';
import type { FreshDeps } from '../credentials/fresh.ts';
import type { IntegrationCreationDeps } from '../integrations/integrations.ts';
import type { DeletionDeps } from '../lifecycle/connection-deleting.ts';
import type { UpgradeDeps, Upgrades } from '../proxy/upgrade.ts';

/** All that the endpoints need, made once by the composition root. */
export type ApiServices = BeginDeps &
  CallbackDeps &
  SessionDeps &
  FreshDeps &
  IntegrationCreationDeps &
  DeletionDeps &
  UpgradeDeps & {
    readonly upgrades: Upgrades;
    /** The public address, without a slash at its end. */
    readonly baseUrl: string;
  };
