import { ServiceError } from '../../errors.ts';
import { type FollowedOperation, followOperations } from '../../journal/operation-log/follow-operations.ts';
import { listedOperation } from '../../journal/operation-log/operation-record.ts';
import { pauseUnlessAborted } from '../../kit/abortable.ts';
import { LoadingCache } from '../../kit/loading-cache.ts';
import { environmentInPath, memberOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import { liveSessionsOf } from '../../tenants/members/member-session-store.ts';
import { type Names, named } from '../current-names.ts';
import type { ApiServices } from '../services.ts';
import { filterOf, logFilter, needsActor } from './log-schemas.ts';

/**
 * How often the session is checked, in milliseconds: this is how long a member can still receive entries after signing out, or
 * after somebody else has ended the session.
 */
const CHECK_SESSION_MS = 2_000;

/**
 * Maximum number of streams per member at this instance, across all of the member's sessions: each stream queries the database
 * every second, even in a forgotten tab.
 */
const MAX_STREAMS = 20;
/** Maximum number of connection names cached for each stream. */
const MAX_NAMES = 500;
const NAME_MS = 60_000;
const streams = new Map<number, number>();

const follow = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/logs/stream',
  operationId: 'followLogs',
  access: { dashboard: 'read' },
  tag: 'Logs',
  summary: 'Follow the operation log as it is written',
  query: logFilter.refine(...needsActor),
  responses: {
    200: {
      description:
        'Server-sent events: entries written from now on, or since `Last-Event-ID`; a few that came just before it may be repeated. ' +
        '`event: operation`, `data` is an entry as in lists, as JSON. An event without data, whose `id` marks the position in the ' +
        'stream, is sent at the beginning and every 15 seconds. The stream ends with the session.',
      type: 'text/event-stream',
    },
    429: { description: `The member already has ${MAX_STREAMS} open streams.` },
  },
  async handle(services: ApiServices, { caller, query, headers }) {
    const environment = environmentInPath(caller);
    const member = memberOf(caller);
    if (streamsOf(member) >= MAX_STREAMS) throw tooManyStreams();
    const lastEventId = headers['last-event-id'];
    const after = typeof lastEventId === 'string' ? lastEventId : undefined;
    return {
      type: 'text/event-stream',
      // Tells nginx to pass on each event at once, rather than when its buffer is full.
      headers: { 'x-accel-buffering': 'no' },
      async *stream(left) {
        const stop = new AbortController();
        const ended = AbortSignal.any([left, stop.signal]);
        count(member, 1);
        using names: NamesCache = new LoadingCache({ ttlMs: NAME_MS, maxEntries: MAX_NAMES });
        const known = { environmentId: environment.id, names };
        const watching = whileSignedIn(services, member, ended).finally(() => stop.abort());
        try {
          for await (const followed of followOperations(services, environment.id, { ...filterOf(query), after, ended }))
            yield event(followed, await namesOf(services, followed, known));
        } finally {
          count(member, -1);
          stop.abort();
          await watching;
        }
      },
    };
  },
});

export const logStreamRoutes = [follow];

function streamsOf({ memberId }: MemberCaller): number {
  return streams.get(memberId) ?? 0;
}

function count(member: MemberCaller, change: 1 | -1): void {
  const now = streamsOf(member) + change;
  if (now === 0) streams.delete(member.memberId);
  else streams.set(member.memberId, now);
}

function tooManyStreams(): ServiceError {
  return new ServiceError('too_many_request', `you already follow ${MAX_STREAMS} logs: close other tabs of the dashboard`);
}

/** Resolves when the session has ended or the client has disconnected. The check does not extend the session. */
async function whileSignedIn({ db, clock }: ApiServices, member: MemberCaller, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await pauseUnlessAborted(CHECK_SESSION_MS, ended);
    // A failed query also ends the stream; the client then connects again.
    const sessions = await liveSessionsOf(db, member.memberId, clock.now()).catch(() => []);
    if (!sessions.some(({ id }) => id === member.sessionId)) return;
  }
}

type NamesCache = LoadingCache<string, Names>;

const NAMELESS: Names = { connection_name: null, integration: null };

/** Returns the names of an operation's connection and integration. They are cached, since one connection may have many operations. */
async function namesOf(
  services: ApiServices,
  { operation }: FollowedOperation,
  { environmentId, names }: { readonly environmentId: number; readonly names: NamesCache },
): Promise<Names> {
  if (operation === undefined || operation.provider_config_key === null) return NAMELESS;
  const address = JSON.stringify([operation.provider_config_key, operation.connection_id]);
  const load = async () => {
    const [found = NAMELESS] = await named(services, environmentId, [operation]);
    return { connection_name: found.connection_name, integration: found.integration };
  };
  return (await names.get(address, load)) ?? NAMELESS;
}

function event({ operation, eventId }: FollowedOperation, names: Names): string {
  if (operation === undefined) return `id: ${eventId}\n\n`;
  const entry = { ...listedOperation(operation), ...names };
  return `id: ${eventId}\nevent: operation\ndata: ${JSON.stringify(entry)}\n\n`;
}
