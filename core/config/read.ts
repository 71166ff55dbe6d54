import { z } from 'zod';
import { type Config, settings } from './schema.ts';
import { traceFaults } from './traces.ts';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Thrown for settings that the service cannot start with. It lists all faults, each with the variable's name and never with its
 * value.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['these settings are invalid:', ...faults].join('\n  '));
    this.faults = faults;
  }
}

interface ReadOptions {
  /** Whether the encryption keys may come from elsewhere, such as a backup, even if `DATABASE_URL` is set. */
  readonly mayLackKeys?: boolean;
}

/** Reads all settings; an empty variable counts as unset. @throws ConfigError with all faults */
export function readConfig(
  env: ProcessEnvironment = process.env,
  { mayLackKeys = false }: ReadOptions = {},
): {
  readonly config: Config;
  readonly warnings: readonly string[];
} {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = z.object(settings).safeParse(values);
  const invalid = (result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
  const missing = mayLackKeys ? [] : missingKeys(values);
  const faults = [...invalid, ...traceFaults(values), ...missing, ...clashes(values)];
  if (!result.success || faults.length > 0) throw new ConfigError(faults);

  const baseUrl = result.data.SVC_BASE_URL ?? `http://localhost:${result.data.PORT}`;
  const config: Config = Object.freeze({ ...result.data, SVC_BASE_URL: baseUrl });
  return { config, warnings: [...unknownNames(values), ...ignoredProxies(values), ...doubts(config)] };
}

function missingKeys({ DATABASE_URL, SVC_ENCRYPTION_KEYS }: ProcessEnvironment): string[] {
  if (DATABASE_URL === undefined || SVC_ENCRYPTION_KEYS !== undefined) return [];
  return [
    'SVC_ENCRYPTION_KEYS must be set when DATABASE_URL is; keep a copy, since nothing stored can be read without it ' +
      '(`restore FILE --keys-to KEYS` takes the keys out of a backup)',
  ];
}

/** Finds settings that are each valid but contradict each other. */
function clashes(values: ProcessEnvironment): string[] {
  const {
    SVC_BOOTSTRAP_API_KEY,
    SVC_BOOTSTRAP_ACCOUNT_KEY,
    SVC_OIDC_ISSUER,
    SVC_OIDC_CLIENT_ID,
    SVC_OIDC_CLIENT_SECRET,
    SVC_OIDC_ONLY,
    FAULT_AT,
    NODE_TLS_REJECT_UNAUTHORIZED,
  } = values;
  const isProduction = values['NODE_ENV'] === 'production';
  return [
    SVC_BOOTSTRAP_API_KEY !== undefined &&
      SVC_BOOTSTRAP_API_KEY === SVC_BOOTSTRAP_ACCOUNT_KEY &&
      'SVC_BOOTSTRAP_ACCOUNT_KEY must differ from SVC_BOOTSTRAP_API_KEY',
    SVC_OIDC_ISSUER !== undefined &&
      (SVC_OIDC_CLIENT_ID === undefined || SVC_OIDC_CLIENT_SECRET === undefined) &&
      'SVC_OIDC_ISSUER needs SVC_OIDC_CLIENT_ID and SVC_OIDC_CLIENT_SECRET',
    SVC_OIDC_ONLY === 'on' &&
      SVC_OIDC_ISSUER === undefined &&
      'SVC_OIDC_ONLY needs SVC_OIDC_ISSUER: without it nobody could sign in',
    isProduction && FAULT_AT !== undefined && 'FAULT_AT must not be set with NODE_ENV=production: it ends the process on purpose',
    isProduction &&
      NODE_TLS_REJECT_UNAUTHORIZED === '0' &&
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 with NODE_ENV=production; name further certificate authorities with NODE_EXTRA_CA_CERTS',
  ].filter((fault) => fault !== false);
}

/** Variables in which the guides keep the service's address and an API key, for commands that call the service. */
const OF_CLIENTS = ['SVC_URL', 'SVC_KEY'];

function unknownNames(values: ProcessEnvironment): string[] {
  return Object.keys(values)
    .filter((name) => name.startsWith('SVC_') && !OF_CLIENTS.includes(name) && !Object.hasOwn(settings, name))
    .map((name) => `${name} is not a setting; correct its name or remove it`);
}

/** Returns warnings about proxy variables that other programs use and this service ignores. */
function ignoredProxies({ SVC_OUTBOUND_PROXY, ...values }: ProcessEnvironment): string[] {
  if (SVC_OUTBOUND_PROXY !== undefined) return [];
  return ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
    .filter((name) => values[name] !== undefined)
    .map((name) => `${name} is not used; to call providers through a proxy, set SVC_OUTBOUND_PROXY`);
}

function doubts(config: Config): string[] {
  const { protocol, hostname, port } = new URL(config.SVC_BASE_URL);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const hasAll = (items: readonly string[]) => items.some((item) => item.endsWith('/0'));
  return [
    port === '0' && 'SVC_BASE_URL must be set when PORT is 0: links and callback addresses would lead nowhere',
    protocol === 'http:' && !isLoopback && 'SVC_BASE_URL is plain http, so keys and sign-ins can be read in transit; use https',
    hasAll(config.SVC_OUTBOUND_ALLOW) &&
      'SVC_OUTBOUND_ALLOW allows every address, so calls can reach private networks; list only the hosts that are needed',
    hasAll(config.SVC_TRUSTED_PROXIES) &&
      'SVC_TRUSTED_PROXIES trusts every address, so callers can forge their own; list only your reverse proxies',
    (config.SVC_ADMIN_EMAIL === undefined) !== (config.SVC_ADMIN_PASSWORD_FILE === undefined) &&
      'SVC_ADMIN_EMAIL and SVC_ADMIN_PASSWORD_FILE create an admin only together; set both or neither',
    config.SVC_LEGACY_PUBLIC_KEY &&
      'SVC_LEGACY_PUBLIC_KEY is on: pages may connect with a public key, which is deprecated; turn it off once they use connect sessions',
  ].filter((doubt) => doubt !== false);
}
