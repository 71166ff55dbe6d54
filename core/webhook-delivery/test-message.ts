import type { StoreDeps } from '../db/store-deps.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { environmentById } from '../tenants/environments/environment-store.ts';
import type { OutboxDeps } from './deps.ts';
import { targetsOf } from './message-list-store.ts';
import { type NewMessage, sendMessages } from './messages.ts';
import { isAnyHeld } from './target-store.ts';

/** The name used for everything in test webhooks. */
const NAME = 'svc-test';
/** Header that marks test webhooks for receivers. */
const MARK = { 'svc-webhook-test': 'true' };

type TestType = 'auth' | 'forward';

interface TestMessage {
  /** If it goes to both URLs, the ID of the webhook to the primary one. */
  readonly id: string;
  /** Whether it waits, since a target is paused or held. */
  readonly isHeld: boolean;
}

/**
 * Stores a test webhook that looks like a real one.
 *
 * @throws ServiceError `invalid_body` if the environment has no webhook URL
 */
export async function sendTestMessage(deps: StoreDeps & OutboxDeps, environmentId: number, type: TestType): Promise<TestMessage> {
  return withTransaction(deps.db, async (trx) => {
    const environment = await environmentById(trx, environmentId);
    const about = { environmentId, type: 'test', operation: type, webhookUrlOverride: null } as const;
    const ids = await sendMessages(deps, trx, [{ ...about, ...CONTENT[type](environment?.name ?? '') }]);
    const [id] = ids;
    if (id === undefined) throw new ServiceError('invalid_body', 'this environment has no webhook URL to send a test message to');
    return { id, isHeld: await isAnyHeld(trx, await targetsOf(trx, ids)) };
  });
}

const CONTENT: Readonly<Record<TestType, (environment: string) => Pick<NewMessage, 'body' | 'headers'>>> = {
  auth: (environment) => ({ body: authBody(environment), headers: MARK }),
  forward: () => ({ body: FORWARD_BODY, headers: { ...MARK, 'svc-webhook-verified': 'false' } }),
};

const FORWARD_BODY = {
  from: NAME,
  type: 'forward',
  providerConfigKey: NAME,
  connectionId: NAME,
  payload: { test: true },
};

function authBody(environment: string) {
  return {
    from: 'svc',
    type: 'auth',
    operation: 'creation',
    success: true,
    connectionId: NAME,
    providerConfigKey: NAME,
    provider: NAME,
    authMode: 'OAUTH2',
    environment,
    tags: {},
  };
}
