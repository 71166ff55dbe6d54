import { parseArgs } from 'node:util';
import { recordAudit } from '../audit/record.ts';
import { withTransaction } from '../db/transaction.ts';
import { firstAccountId } from '../environments/environment-store.ts';
import { memberByEmail } from '../members/member-store.ts';
import { makePasswordToken } from '../members/new-password.ts';
import { makeSetupToken } from '../members/setup.ts';
import { setupLink } from '../process/first-admin.ts';
import { accountContext } from './audit-context.ts';
import { openContext } from './command-context.ts';
import { commandError, printObject, usageError } from './output.ts';

const JSON_OPTION = { json: { type: 'boolean' } } as const;

/** `setup-link`: for whoever makes the first admin of the dashboard. */
export async function setupLinkCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { ...JSON_OPTION, account: { type: 'string' } } });
  await using context = await openContext();
  const accountId = values.account === undefined ? await firstAccountId(context.db) : Number(values.account);
  if (accountId === undefined) throw commandError('the database is empty: start the service once');
  if (!Number.isSafeInteger(accountId)) throw usageError('--account must be the ID of an account');
  const token = await withTransaction(context.db, async (trx) => {
    const made = await makeSetupToken({ ...context, db: trx }, accountId);
    const subject = { type: 'account', id: String(accountId) } as const;
    await recordAudit({ ...context, db: trx }, { ...accountContext(accountId), action: 'member.setup_link', subject });
    return made;
  });
  printObject({ link: setupLink(context.config.SVC_BASE_URL, token) }, values.json === true);
}

/** `reset-password EMAIL`: a link by which a member of the dashboard chooses a new password. */
export async function resetPasswordCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: JSON_OPTION, allowPositionals: true });
  const [email, ...more] = positionals;
  if (email === undefined || more.length > 0) throw usageError('reset-password EMAIL');
  await using context = await openContext();
  const member = await memberByEmail(context.db, email.trim().toLowerCase());
  if (member === undefined) throw commandError(`nobody with the e-mail ${email} is a member`);
  const { id: memberId, account_id: accountId } = member;
  const token = await withTransaction(context.db, async (trx) => {
    const made = await makePasswordToken({ ...context, db: trx }, { accountId, memberId });
    const subject = { type: 'member', id: String(memberId), name: member.email } as const;
    await recordAudit({ ...context, db: trx }, { ...accountContext(accountId), action: 'member.password_link', subject });
    return made;
  });
  printObject({ link: `${context.config.SVC_BASE_URL}/join#token=${token}` }, values.json === true);
}
