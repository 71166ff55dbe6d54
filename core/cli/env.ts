import { parseArgs } from 'node:util';
import { environmentCallback } from '../connections/integrations/redirect-uri.ts';
import { withTransaction } from '../db/transaction.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { asciiUrl } from '../kit/ascii-url.ts';
import { isPublicKey, setHmacKey, setPublicKey } from '../tenants/api-keys/public-key-store.ts';
import { connectSettingsOf, updateConnectSettings } from '../tenants/environments/connect-settings-store.ts';
import {
  type Environment,
  type EnvironmentChanges,
  environmentsOf,
  firstAccountId,
  updateEnvironment,
} from '../tenants/environments/environment-store.ts';
import { isCallbackUrl } from '../tenants/environments/environments.ts';
import { isVariableName, setVariable, type Variable } from '../tenants/environments/variables.ts';
import { isWebhookUrl, keepLogins, withoutLogins } from '../tenants/environments/webhook-login.ts';
import { rotateWebhookSecret, signingSecrets } from '../tenants/environments/webhook-secret.ts';
import { checkWebhookUrls, INBOX, resumeDelivery, withInbox } from '../webhook-delivery/webhook-urls.ts';
import { auditContext } from './audit-context.ts';
import { type CommandContext, openContext, requireEnvironment } from './command-context.ts';
import { CONNECT_FLAGS, connectSettingsChanges, describeConnectSettings } from './connect-settings.ts';
import { commandError, printList, printObject, usageError } from './output.ts';

const OPTIONS = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

const MAX_HMAC_KEY = 255;

const URL_FLAGS = {
  'callback-url': 'callback_url',
  'webhook-url': 'webhook_url',
  'webhook-url-secondary': 'webhook_url_secondary',
} as const;
const TOGGLE_FLAGS = {
  'on-new-connection': 'on_new_connection',
  'on-refresh': 'on_refresh',
  'on-deletion': 'on_deletion',
} as const;
const TEXT = { type: 'string' } as const;

/** `env list`, `env get`, `env set`, `env rotate-webhook-secret`: commands by which the operator manages environments. */
export async function envCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action === 'list') return list(rest);
  if (action === 'get') return get(rest);
  if (action === 'set') return set(rest);
  if (action === 'rotate-webhook-secret') return rotateWebhookSecretCommand(rest);
  throw usageError('env list | get | set --webhook-url URL … | rotate-webhook-secret (see docs/command-line.md)');
}

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
  await using context = await openContext();
  const accountId = await firstAccountId(context.db);
  const environments = accountId === undefined ? [] : await environmentsOf(context.db, accountId);
  printList(
    environments.map(({ id, uuid, name, isProduction }) => ({ id, uuid, name, is_production: isProduction })),
    values.json === true,
  );
}

async function get(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' }, env: { ...TEXT, default: 'dev' } } });
  await using context = await openContext();
  const environment = await requireEnvironment(context.db, values.env);
  const described = await describe(context, environment);
  const subject = { type: 'environment', id: String(environment.id), name: environment.name } as const;
  await recordAudit(context, { ...auditContext(environment), action: 'webhook_secret.reveal', subject });
  printObject(described, values.json === true);
}

async function set(args: string[]): Promise<void> {
  const names = [...Object.keys(URL_FLAGS), ...Object.keys(TOGGLE_FLAGS), ...CONNECT_FLAGS];
  const flags = Object.fromEntries(names.map((name) => [name, TEXT]));
  const options = {
    ...flags,
    'public-key': TEXT,
    'hmac-key': TEXT,
    variable: { ...TEXT, multiple: true },
    json: { type: 'boolean' },
    env: { ...TEXT, default: 'dev' },
  } as const;
  const values: Readonly<Record<string, unknown>> = parseArgs({ args, options }).values;
  const given = changesOf(values);
  const variables = parseVariables(values['variable']);
  const publicKeys = publicKeyChanges(values);
  const connectSettings = await connectSettingsChanges(values);
  if (Object.keys({ ...given, ...publicKeys, ...connectSettings }).length + variables.length === 0)
    throw usageError('env set needs at least one flag, e.g. --callback-url URL');

  await using context = await openContext();
  const environment = await requireEnvironment(context.db, String(values['env']));
  const plain = withoutLogins(given);
  const changes = withInbox(context.config.SVC_BASE_URL, environment, plain);
  await checkWebhookUrls(context.db, plain, context.config.SVC_OUTBOUND_ALLOW);
  await withTransaction(context.db, async (trx) => {
    await updateEnvironment(trx, environment.id, changes);
    await keepLogins({ db: trx, keys: context.keys }, environment.id, given);
    await updateConnectSettings(trx, environment.id, connectSettings);
    await resumeDelivery(context, trx, { environmentId: environment.id, changes });
    await changePublicKeys({ db: trx, keys: context.keys }, environment.id, publicKeys);
    for (const variable of variables) await setVariable({ ...context, db: trx }, environment.id, variable);
    const facts = {
      given: Object.keys({ ...given, ...publicKeys, ...connectSettings }),
      variables: variables.map(({ name }) => name),
    };
    const subject = { type: 'environment', id: String(environment.id), name: environment.name } as const;
    const entry = { action: 'environment.update', subject, facts } as const;
    await recordAudit({ ...context, db: trx }, { ...auditContext(environment), ...entry });
  });
  printObject(await describe(context, await requireEnvironment(context.db, environment.name)), values['json'] === true);
}

function changesOf(values: Readonly<Record<string, unknown>>): EnvironmentChanges {
  const given = (flags: object) => Object.entries(flags).filter(([flag]) => values[flag] !== undefined);
  return Object.fromEntries([
    ...given(URL_FLAGS).map(([flag, column]) => [column, readUrl(flag, String(values[flag]))]),
    ...given(TOGGLE_FLAGS).map(([flag, column]) => [column, readToggle(flag, String(values[flag]))]),
  ]);
}

/** Reads a URL from a flag; null for an empty string, which clears the URL. */
function readUrl(flag: string, text: string): string | null {
  if (text === '') return null;
  if (flag === 'webhook-url' && text === INBOX) return INBOX;
  if (flag.startsWith('webhook-') ? isWebhookUrl(text) : isCallbackUrl(text)) return asciiUrl(text);
  throw usageError(`--${flag} must be an http or https URL such as https://app.example.com/callback, or empty to clear it`);
}

function readToggle(flag: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw usageError(`--${flag} must be on or off`);
  return text === 'on';
}

function parseVariables(flags: unknown): Variable[] {
  const texts: readonly unknown[] = Array.isArray(flags) ? flags : [];
  return texts.map((text) => {
    const [, name, value] = /^([^=]*)=([\s\S]*)$/.exec(String(text)) ?? [];
    if (name === undefined || value === undefined || !isVariableName(name))
      throw usageError('--variable must be NAME=value, where NAME consists of letters, digits and _');
    return { name, value };
  });
}

async function describe({ db, keys, config }: CommandContext, environment: Environment): Promise<Record<string, unknown>> {
  const { id } = environment;
  const secrets = await signingSecrets({ db, keys }, id);
  const connectSettings = await connectSettingsOf(db, id);
  return {
    id,
    uuid: environment.uuid,
    name: environment.name,
    callback_url: environmentCallback({ baseUrl: config.SVC_BASE_URL, environment }),
    webhook_url: environment.webhookUrl,
    webhook_url_secondary: environment.webhookUrlSecondary,
    webhook_secret: secrets?.current ?? null,
    on_new_connection: environment.onNewConnection,
    on_refresh: environment.onRefresh,
    on_deletion: environment.onDeletion,
    ...describeConnectSettings(connectSettings, environment, config.SVC_BASE_URL),
  };
}

/** Changes to the deprecated public key and its HMAC key; null clears one. */
interface PublicKeyChanges {
  readonly publicKey?: string | null;
  readonly hmacKey?: string | null;
}

/** Parses `--public-key` and `--hmac-key`; an empty value clears the key. @throws CommandError when a key is invalid */
function publicKeyChanges(values: Readonly<Record<string, unknown>>): PublicKeyChanges {
  const [publicKey, hmacKey] = [values['public-key'], values['hmac-key']];
  return {
    ...(publicKey !== undefined && { publicKey: readPublicKey(String(publicKey)) }),
    ...(hmacKey !== undefined && { hmacKey: readHmacKey(String(hmacKey)) }),
  };
}

/** @throws CommandError when another environment uses the public key */
async function changePublicKeys(
  context: Pick<CommandContext, 'db' | 'keys'>,
  environmentId: number,
  { publicKey, hmacKey }: PublicKeyChanges,
): Promise<void> {
  if (publicKey !== undefined && !(await setPublicKey(context.db, environmentId, publicKey)))
    throw commandError('another environment already uses this public key');
  if (hmacKey !== undefined) await setHmacKey(context, environmentId, hmacKey);
}

function readPublicKey(text: string): string | null {
  if (text === '') return null;
  if (!isPublicKey(text)) throw usageError('--public-key must be a UUID, or empty to clear it');
  return text;
}

function readHmacKey(text: string): string | null {
  if (text.length > MAX_HMAC_KEY)
    throw usageError(`--hmac-key must have at most ${MAX_HMAC_KEY} characters, or be empty to clear it`);
  return text === '' ? null : text;
}

/**
 * `env rotate-webhook-secret`: for 24 hours, both the new and the previous secret sign webhooks.
 *
 * @throws ServiceError `conflict` within 24 hours of the previous rotation
 */
async function rotateWebhookSecretCommand(args: string[]): Promise<void> {
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
