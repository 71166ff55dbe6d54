import { withTransaction } from '../../core/db/transaction.ts';
import { type NewMessage, sendMessages } from '../../core/webhook-delivery/messages.ts';
import type { TestApp } from './app.ts';

/** An address where no server listens, so that messages to it remain unsent. */
const NOWHERE = 'https://nowhere.example/webhooks';

/**
 * Stores webhook messages, each in its own transaction, as the service stores them.
 *
 * @returns the `webhook-id` of each message, one for each target
 */
export async function storeMessages(app: Pick<TestApp, 'services'>, ...messages: Partial<NewMessage>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const message of messages) {
    const whole: NewMessage = {
      environmentId: 1,
      type: 'auth',
      webhookUrlOverride: NOWHERE,
      body: { type: 'auth' },
      ...message,
    };
    ids.push(...(await withTransaction(app.services.db, (trx) => sendMessages(app.services, trx, [whole]))));
  }
  return ids;
}

/** Stores one webhook message. @returns its `webhook-id` */
export async function storeMessage(app: Pick<TestApp, 'services'>, message: Partial<NewMessage> = {}): Promise<string> {
  const [id] = await storeMessages(app, message);
  if (id === undefined) throw new Error('the environment has no webhook URL');
  return id;
}
