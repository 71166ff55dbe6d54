import type { Activity } from '../activity/activity.ts';
import type { LastDeps } from '../credentials/last-credentials.ts';
import type { Notices } from '../db/notices.ts';
import type { Signals } from '../db/work-signals.ts';
import type { TagKeyDeps } from '../integrations/webhook-address.ts';
import type { Clock } from '../kit/clock.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { Compiler } from './compiler.ts';
import type { ScriptRunner } from './runner.ts';

export interface ScriptDeps extends Pick<LastDeps, 'catalogue' | 'plugins' | 'outbound' | 'refreshing' | 'log'>, TagKeyDeps {
  readonly scriptRunner: Pick<ScriptRunner, 'run' | 'limits'>;
  readonly compiler: Pick<Compiler, 'compile'>;
  readonly activity: Activity;
  readonly notices: Notices;
  readonly signals: Signals;
  readonly random: () => number;
  readonly clock: Clock;
  readonly proxy: ProviderProxy;
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
}
