import { parseArgs } from 'node:util';
import { withTransaction } from '../db/transaction.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { rotateWebhookSecret } from '../tenants/environments/webhook-secret.ts';
import { auditContext } from './audit-context.ts';
import { openContext, requireEnvironment } from './command-context.ts';
import { printObject } from './output.ts';

const OPTIONS = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

/** `env rotate-webhook-secret`: for 24 hours, both the new and the previous secret sign. @throws ServiceError */
export async function rotateWebhookSecretCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  await using context = await openContext();
  const environment = await requireEnvironment(context.db, values.env);
  const { current, old } = await withTransaction(context.db, async (trx) => {
    const here = { ...context, db: trx };
    const secrets = await rotateWebhookSecret(here, environment.id);
    const subject = { type: 'environment', id: String(environment.id), name: environment.name } as const;
    await recordAudit(here, { ...auditContext(environment), action: 'webhook_secret.rotate', subject });
    return secrets;
  });
  printObject({ webhook_secret: current, old_secret_signs_until: old?.until.toISOString() }, values.json === true);
}
