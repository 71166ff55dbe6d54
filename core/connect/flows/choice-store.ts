import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../../auth-modes/auth-mode.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Clock } from '../../kit/clock.ts';
import { parseJson } from '../../kit/exact-json.ts';
import type { LifecycleDeps } from '../deps.ts';
import type { ChoiceOption } from '../establish/connection-plan.ts';
import type { AuthorizationFlowRow } from './flow-row.ts';
import { CLAIMED_COLUMNS, type ClaimedFlow, claimedFlow, flowPlace, inState, leaseEnd } from './flow-store.ts';

/**
 * How long the user can choose, in milliseconds. Expired tokens are removed every minute, so none stays in the database for more
 * than 15 minutes.
 */
const CHOICE_MS = 14 * 60_000;

/** The result of an authorization that waits for the user's choice. */
interface PendingChoice {
  readonly credentials: StoredCredentials;
  readonly added: JsonObject;
  readonly found: JsonObject;
  readonly options: readonly ChoiceOption[];
}

/** Stores the tokens, encrypted, and ends the lease of the exchange. @returns false if the flow has ended in the meantime */
export async function keepForChoice(
  { db, keys, clock }: StoreDeps & { readonly clock: Clock },
  { id, environmentId }: ClaimedFlow,
  { credentials, added, found, options }: PendingChoice,
): Promise<boolean> {
  const changed = await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .whereNull('outcome')
    .update({
      choice: keys.encrypt(JSON.stringify({ credentials, added, found, options }), choicePlace(environmentId, id)),
      choice_expires_at: new Date(clock.now().getTime() + CHOICE_MS),
      exchanging_until: null,
      ...inState(db, 'choosing'),
    });
  return changed === 1;
}

/** A flow that is found by the ID that a user interface gave it. */
export interface NamedFlow {
  readonly hasEnded: boolean;
  /** The choice that the flow waits for; undefined if it does not wait for one, or no longer. */
  readonly choice?: { readonly options: readonly ChoiceOption[]; readonly expiresAt: Date };
}

type OwningSession = Pick<ConnectSession, 'id' | 'environmentId'>;

export async function findNamedFlow(
  { db, keys }: StoreDeps,
  session: OwningSession,
  { flowId, now }: { readonly flowId: string; readonly now: Date },
): Promise<NamedFlow | undefined> {
  const row = await ofSession(db, session, flowId).first();
  if (row === undefined) return undefined;
  const { choice, choice_expires_at: expiresAt } = row;
  const isChoosing = row.outcome === null && choice !== null && expiresAt !== null && expiresAt > now;
  if (!isChoosing) return { hasEnded: row.outcome !== null || expiresAt !== null || row.expires_at <= now };
  return { hasEnded: false, choice: { options: openedChoice(keys, row, choice).options, expiresAt } };
}

/** Claims a choice as a callback claims its state. @returns undefined if another request has claimed it, or the flow has ended */
export async function claimChoice(
  { db, keys }: StoreDeps,
  session: OwningSession,
  { flowId, now }: { readonly flowId: string; readonly now: Date },
): Promise<{ readonly flow: ClaimedFlow; readonly pending: PendingChoice } | undefined> {
  const [row] = await ofSession(db, session, flowId)
    .whereNull('outcome')
    .where('choice_expires_at', '>', now)
    .whereRaw('coalesce(exchanging_until <= clock_timestamp(), true)')
    .update({ exchanging_until: leaseEnd(db), ...inState(db, 'verifying') })
    .returning([...CLAIMED_COLUMNS, 'choice']);
  if (row === undefined || row.choice === null) return undefined;
  return { flow: claimedFlow({ keys }, row), pending: openedChoice(keys, row, row.choice) };
}

/** Lets the user choose again, after a failure that may be temporary. */
export async function releaseChoice(db: Knex, { id, environmentId }: ClaimedFlow): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .where({ id, environment_id: environmentId })
    .whereNull('outcome')
    .update({ exchanging_until: null, ...inState(db, 'choosing') });
}

/** Removes the provider's tokens that are kept for a user's choice, once its time is over or its connect session has ended. */
export async function removeExpiredChoices({ db, clock }: { readonly db: Knex; readonly clock: Clock }): Promise<void> {
  await db<AuthorizationFlowRow>('authorization_flows')
    .whereNotNull('choice')
    .where((query) =>
      query
        .where('choice_expires_at', '<=', clock.now())
        .orWhereRaw('exists (select from connect_sessions where id = session_id and ended_at is not null)'),
    )
    .update({ choice: null });
}

function ofSession(
  db: Knex,
  session: OwningSession,
  flowId: string,
): Knex.QueryBuilder<AuthorizationFlowRow, AuthorizationFlowRow[]> {
  return db<AuthorizationFlowRow>('authorization_flows').where({
    session_id: session.id,
    environment_id: session.environmentId,
    public_id: flowId,
  });
}

export function openedChoice(
  keys: LifecycleDeps['keys'],
  row: Pick<AuthorizationFlowRow, 'id' | 'environment_id'>,
  envelope: Buffer,
): PendingChoice {
  return parseJson(keys.decrypt(envelope, choicePlace(row.environment_id, row.id))) as PendingChoice;
}

function choicePlace(environmentId: number, rowId: number) {
  return { ...flowPlace(environmentId, rowId), column: 'choice' };
}
