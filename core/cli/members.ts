import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { withTransaction } from '../db/transaction.ts';
import type { AuditAction } from '../journal/audit-trail/entry.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { setupLink } from '../operate/first-admin.ts';
import { firstAccountId } from '../tenants/environments/environment-store.ts';
import { resetFactors } from '../tenants/members/factors/enrol.ts';
import { makePasswordToken } from '../tenants/members/member-links.ts';
import type { MemberRow } from '../tenants/members/member-rows.ts';
import { memberByEmail } from '../tenants/members/member-store.ts';
import { makeSetupToken } from '../tenants/members/setup.ts';
import { accountContext } from './audit-context.ts';
import { type CommandContext, openContext } from './command-context.ts';
import { commandError, printObject, usageError } from './output.ts';

const JSON_OPTION = { json: { type: 'boolean' } } as const;

/** `setup-link`: prints a link to the page on which the first admin of the dashboard is created. */
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

/** `reset-password EMAIL`: prints a link by which a member of the dashboard chooses a new password. */
export async function resetPasswordCommand(args: readonly string[]): Promise<void> {
  const { email, json } = readEmail('reset-password', args);
  await using context = await openContext();
  const token = await changeMember(context, { email, action: 'member.password_link' }, (trx, { id, account_id: accountId }) =>
    makePasswordToken({ ...context, db: trx }, { accountId, memberId: id }),
  );
  printObject({ link: `${context.config.SVC_BASE_URL}/join#token=${token}` }, json);
}

/** `reset-factors EMAIL`: resets the second factors of a member of the dashboard who has lost them and all recovery codes. */
export async function resetFactorsCommand(args: readonly string[]): Promise<void> {
  const { email, json } = readEmail('reset-factors', args);
  await using context = await openContext();
  await changeMember(context, { email, action: 'member.factor_reset' }, (trx, { id }) => resetFactors(trx, context, id));
  printObject({ reset: email }, json);
}

function readEmail(command: string, args: readonly string[]): { readonly email: string; readonly json: boolean } {
  const { values, positionals } = parseArgs({ args: [...args], options: JSON_OPTION, allowPositionals: true });
  const [email, ...more] = positionals;
  if (email === undefined || more.length > 0) throw usageError(`${command} EMAIL`);
  return { email: email.trim().toLowerCase(), json: values.json === true };
}

/** Commits a change to the member with this e-mail address, together with its entry in the audit trail. */
async function changeMember<T>(
  context: CommandContext,
  { email, action }: { readonly email: string; readonly action: AuditAction },
  change: (trx: Knex.Transaction, member: MemberRow) => Promise<T>,
): Promise<T> {
  const member = await memberByEmail(context, email);
  if (member === undefined) throw commandError(`no member has the e-mail address ${email}`);
  return withTransaction(context.db, async (trx) => {
    const changed = await change(trx, member);
    const subject = { type: 'member', id: String(member.id), name: member.email } as const;
    await recordAudit({ ...context, db: trx }, { ...accountContext(member.account_id), action, subject });
    return changed;
  });
}
