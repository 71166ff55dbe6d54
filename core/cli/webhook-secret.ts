import { parseArgs } from 'node:util';
import { rotateWebhookSecret } from '../environments/webhook-secret.ts';
import { joinDatabase, requireEnvironment } from './join.ts';
import { printObject } from './output.ts';

const OPTIONS = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

/** `env rotate-webhook-secret`: a new secret signs from now on, and for a day the older one too. @throws ServiceError */
export async function rotateWebhookSecretCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  await using joined = await joinDatabase();
  const environment = await requireEnvironment(joined.db, values.env);
  const { current, old } = await rotateWebhookSecret(joined, environment.id);
  printObject({ webhook_secret: current, old_secret_signs_until: old?.until.toISOString() }, values.json === true);
}
