import { parseArgs } from 'node:util';
import { rotateWebhookSecret } from '../environments/webhook-secret.ts';
import { openContext, requireEnvironment } from './command-context.ts';
import { printObject } from './output.ts';

const OPTIONS = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

/** `env rotate-webhook-secret`: for 24 hours, both the new and the previous secret sign. @throws ServiceError */
export async function rotateWebhookSecretCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  await using context = await openContext();
  const environment = await requireEnvironment(context.db, values.env);
  const { current, old } = await rotateWebhookSecret(context, environment.id);
  printObject({ webhook_secret: current, old_secret_signs_until: old?.until.toISOString() }, values.json === true);
}
