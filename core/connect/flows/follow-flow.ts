import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { LifecycleDeps } from '../deps.ts';
import { hasEnded } from './flow-state.ts';
import type { FlowWatcher } from './flow-watcher.ts';
import { type FollowedFlow, findFollowedFlow } from './followed-flow.ts';

/** The time between signs of life, in milliseconds: proxies close network connections that have been silent for a minute. */
const HEARTBEAT_MS = 15_000;

interface Follower {
  readonly watcher: FlowWatcher;
  /** The last version that the follower knows. */
  readonly version?: number | undefined;
  /** Aborted when there is no receiver any more. */
  readonly ended: AbortSignal;
}

/**
 * Yields the states of a flow until it has ended, beginning with the current one unless the follower knows it. States that follow
 * each other fast may be left out; undefined is a sign of life, sent every 15 s.
 */
export async function* followFlow(
  deps: LifecycleDeps,
  { session, flow }: { readonly session: ConnectSession; readonly flow: Pick<FollowedFlow, 'flowId' | 'rowId'> },
  { watcher, version, ended }: Follower,
): AsyncGenerator<FollowedFlow | undefined> {
  using following = watcher.follow(session, flow.rowId, ended);
  let known = version;
  let silentSince = performance.now();
  while (!ended.aborted) {
    const present = await findFollowedFlow(deps, session, flow.flowId);
    if (present === undefined) return;
    const isSilent = performance.now() - silentSince >= HEARTBEAT_MS;
    if (present.version !== known || isSilent) {
      yield present.version === known ? undefined : present;
      known = present.version;
      silentSince = performance.now();
    }
    if (hasEnded(present.state)) return;
    await following.changed(HEARTBEAT_MS - (performance.now() - silentSince));
  }
}
