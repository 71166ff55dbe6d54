import { parseArgs } from 'node:util';
import { liveKeysOf } from '../environments/api-key-store.ts';
import { createKey, revoke } from '../environments/api-keys.ts';
import { joinDatabase, requireEnvironment } from './join.ts';
import { printList, printObject, usage } from './output.ts';

const COMMON = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

/** `api-keys create|list|revoke`: the keys of one environment. */
export async function apiKeysCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action === 'create') return create(rest);
  if (action === 'list') return list(rest);
  if (action === 'revoke') return remove(rest);
  throw usage('api-keys create --name N --scopes a,b | api-keys list | api-keys revoke ID');
}

async function create(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { ...COMMON, name: { type: 'string' }, scopes: { type: 'string' } } });
  const { name, scopes } = values;
  if (!name || !scopes) throw usage('api-keys create needs --name and --scopes, e.g. --name backend --scopes environment:*');
  await using joined = await joinDatabase();
  const { id: environmentId, accountId } = await requireEnvironment(joined.db, values.env);
  const wanted = { name, scopes: scopes.split(',').map((scope) => scope.trim()) };
  const key = await createKey(joined, { accountId, environmentId }, wanted);
  printObject({ id: key.id, secret: key.secret, scopes: key.scopes }, values.json === true);
}

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: COMMON });
  await using joined = await joinDatabase();
  const { id: environmentId, accountId } = await requireEnvironment(joined.db, values.env);
  const keys = await liveKeysOf(joined.db, { accountId, environmentId });
  const rows = keys.map(({ id, name, scopes, createdAt }) => ({ id, name, scopes, created_at: createdAt.toISOString() }));
  printList(rows, values.json === true);
}

async function remove(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: COMMON, allowPositionals: true });
  const [text = '', ...more] = positionals;
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || more.length > 0)
    throw usage('api-keys revoke needs the ID that `api-keys list` shows');
  await using joined = await joinDatabase();
  const environment = await requireEnvironment(joined.db, values.env);
  await revoke(joined, { id, environmentId: environment.id });
  printObject({ id, revoked: true }, values.json === true);
}
