import { parseArgs } from 'node:util';
import { withTransaction } from '../db/transaction.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { liveKeysOf } from '../tenants/api-keys/api-key-store.ts';
import { createKey, revoke } from '../tenants/api-keys/api-keys.ts';
import { createAccount } from '../tenants/environments/bootstrap.ts';
import { firstAccountId } from '../tenants/environments/environment-store.ts';
import { accountContext, auditContext } from './audit-context.ts';
import { openContext, requireEnvironment } from './command-context.ts';
import { commandError, printList, printObject, usageError } from './output.ts';

const TEXT = { type: 'string' } as const;
const COMMON = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

/** `api-keys create|list|revoke`: manages the API keys of one environment. */
export async function apiKeysCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action === 'create') return create(rest);
  if (action === 'list') return list(rest);
  if (action === 'revoke') return remove(rest);
  throw usageError('api-keys create --name N --scopes a,b [--expires-at TIME] | api-keys list | api-keys revoke ID');
}

async function create(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { ...COMMON, name: TEXT, scopes: TEXT, 'expires-at': TEXT } });
  const { name, scopes } = values;
  if (!name || !scopes) throw usageError('api-keys create needs --name and --scopes, e.g. --name backend --scopes environment:*');
  const expiresAt = futureTime(values['expires-at']);
  await using context = await openContext();
  const environment = await requireEnvironment(context.db, values.env);
  const { id: environmentId, accountId } = environment;
  const by = auditContext(environment);
  const createdBy = by.source.actor.name;
  const input = { name, scopes: scopes.split(',').map((scope) => scope.trim()), expiresAt, createdBy };
  const key = await withTransaction(context.db, async (trx) => {
    const here = { ...context, db: trx };
    const made = await createKey(here, { accountId, environmentId }, input);
    const subject = { type: 'api_key', id: String(made.id), name } as const;
    const facts = { scopes: made.scopes, expires_at: made.expiresAt };
    await recordAudit(here, { ...by, action: 'api_key.create', subject, facts });
    return made;
  });
  printObject({ id: key.id, secret: key.secret, scopes: key.scopes }, values.json === true);
}

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: COMMON });
  await using context = await openContext();
  const { id: environmentId, accountId } = await requireEnvironment(context.db, values.env);
  const keys = await liveKeysOf(context.db, { accountId, environmentId });
  const rows = keys.map((key) => ({
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
  }));
  printList(rows, values.json === true);
}

function futureTime(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (time > new Date()) return time;
  throw usageError('--expires-at must be a time in the future such as 2030-01-31T12:00:00Z');
}

async function remove(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: COMMON, allowPositionals: true });
  const [text = '', ...more] = positionals;
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || more.length > 0)
    throw usageError('api-keys revoke needs an ID from `api-keys list`');
  await using context = await openContext();
  const environment = await requireEnvironment(context.db, values.env);
  await withTransaction(context.db, async (trx) => {
    const here = { ...context, db: trx };
    const name = await revoke(here, { id, environmentId: environment.id });
    const subject = { type: 'api_key', id: String(id), name } as const;
    await recordAudit(here, { ...auditContext(environment), action: 'api_key.revoke', subject });
  });
  printObject({ id, revoked: true }, values.json === true);
}

/** `account create`: creates an additional account, isolated from all others. */
export async function accountCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action !== 'create') throw usageError('account create [--name N]');
  const { values } = parseArgs({
    args: rest,
    options: { json: { type: 'boolean' }, name: { type: 'string', default: 'account' } },
  });
  if (values.name === '') throw usageError('--name must not be empty');
  await using context = await openContext();
  // On an empty database this would become the first account, whose keys the first start creates.
  const operator = await firstAccountId(context.db);
  if (operator === undefined) throw commandError('the database is empty: start the service once to create the first account');
  const accountKey = await withTransaction(context.db, async (trx) => {
    const here = { ...context, db: trx };
    const account = await createAccount(here, values.name);
    const subject = { type: 'account', id: String(account.id), name: values.name } as const;
    await recordAudit(here, { ...accountContext(operator), action: 'account.create', subject });
    return account.accountKey;
  });
  printObject({ account_key: accountKey }, values.json === true);
}
