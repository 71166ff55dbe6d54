import { withTransaction } from '../../core/db/transaction.ts';
import { type NewMessage, sendMessages } from '../../core/webhook-delivery/messages.ts';
import type { TestApp } from './app.ts';

/** Where nobody listens: what goes there waits. */
const NOWHERE = 'https://nowhere.example/webhooks';

/** Webhook messages, each written down as its cause would do it. @returns what `webhook-id` carries, one for each target */
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

/** One message. */
export async function storeMessage(app: Pick<TestApp, 'services'>, message: Partial<NewMessage> = {}): Promise<string> {
  const [id] = await storeMessages(app, message);
  if (id === undefined) throw new Error('the environment has no webhook URL');
  return id;
}
