import { z } from 'zod';
import { traceSettings } from './traces.ts';
import {
  cidrList,
  companyLogos,
  contactList,
  domainList,
  encryptionKeys,
  folders,
  frameAncestors,
  hostName,
  integer,
  key,
  outboundList,
  postgresUrl,
  proxyUrl,
  publicUrl,
  toggle,
} from './value-types.ts';

/**
 * All settings, by the name of their environment variable. A setting without a default is undefined when unset; its description
 * says what happens then.
 */
export const settings = {
  PORT: integer(0, 65_535).default(3003).describe('TCP port to listen on; 0 selects any free port.'),
  HOST: hostName.default('127.0.0.1').describe('Address or host name to listen on; the container image sets 0.0.0.0.'),
  SVC_BASE_URL: publicUrl
    .optional()
    .describe('Public URL of the service, the base of every URL that it shows or registers; unset: http://localhost:{PORT}.'),
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'Postgres 15 or newer, as postgres://user:password@host:port/database; unset: an embedded Postgres in the data directory.',
    ),
  SVC_POOL_SIZE: integer(5, 500)
    .default(10)
    .describe('Maximum number of database connections in the pool of this process; it opens two more for other purposes.'),
  SVC_DATA_DIR: z
    .string()
    .optional()
    .describe(
      'Folder of the embedded database and generated keys; unset: ./.svc, or /var/lib/svc when started as root in a ' +
        'folder that the database user cannot enter.',
    ),
  SVC_ROLE: z
    .enum(['all', 'web', 'worker'], 'must be all, web or worker')
    .default('all')
    .describe('What this process does: answer requests (web), run jobs (worker), or both (all).'),
  SVC_BACKUP_DIR: z
    .string()
    .optional()
    .describe('Folder in which one instance writes a backup of the database every day; unset: none is made.'),
  SVC_BACKUP_KEEP: integer(1, 1000).default(7).describe('Number of daily backups that are kept; older ones are removed.'),
  SVC_BACKUP_PASSPHRASE_FILE: z
    .string()
    .optional()
    .describe('File with a passphrase; daily backups then contain the encryption keys, encrypted with it.'),
  SVC_ENCRYPTION_KEYS: encryptionKeys
    .optional()
    .describe(
      'Comma-separated entries id:base64(32 bytes); the first encrypts, all decrypt; unset: generated, unless DATABASE_URL is set.',
    ),
  SVC_BOOTSTRAP_API_KEY: key
    .optional()
    .describe(
      'Full-access API key of the first environment, set in an empty database, at least 32 characters; unset: one is generated.',
    ),
  SVC_BOOTSTRAP_ACCOUNT_KEY: key
    .optional()
    .describe('Account key, set in an empty database, at least 32 characters; unset: one is generated.'),
  SVC_PROVIDERS_DIR: folders.describe('Colon-separated folders with additional provider definitions.'),
  SVC_PLUGINS_DIR: folders.describe('Colon-separated folders with additional plugins.'),
  SVC_SCRIPTS_DIR: folders.describe('Colon-separated folders whose scripts are deployed to the first environment at startup.'),
  SVC_OUTBOUND_ALLOW: outboundList.describe(
    'Comma-separated hosts, host:port or CIDRs that may be called although they are private, and by http, e.g. ' +
      '127.0.0.1/32,a.internal.',
  ),
  SVC_OUTBOUND_PROXY: proxyUrl
    .optional()
    .describe('HTTP proxy for all outbound calls, as http(s)://[user:password@]host:port; the proxy resolves host names.'),
  SVC_OUTBOUND_PROXY_BYPASS: outboundList.describe(
    'Comma-separated hosts, host:port or CIDRs that are called without that proxy; a CIDR matches literal addresses only.',
  ),
  SVC_SCRIPT_TIMEOUT_MS: integer(100, 900_000).default(30_000).describe('Wall-clock limit of one script run, in milliseconds.'),
  SVC_SCRIPT_MEMORY_MB: integer(8, 4096).default(64).describe('Memory limit of one script run, in megabytes.'),
  SVC_SCRIPT_WORKERS: integer(1, 64).default(2).describe('Number of processes that run scripts.'),
  SVC_REFRESH_MARGIN_SECONDS: integer(0, 86_400)
    .default(900)
    .describe('Number of seconds before its expiry at which a token is refreshed.'),
  SVC_LOG_RETENTION_DAYS: integer(1, 3650)
    .default(15)
    .describe('Number of days for which the operation log, script runs and webhooks are kept.'),
  SVC_LOG_MAX_MB: integer(64, 1_000_000)
    .default(4096)
    .describe('Maximum size of the operation log in the database, in megabytes; the oldest part is dropped first.'),
  SVC_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('info')
    .describe('Lowest level that the process log shows: debug, info, warn, error or silent.'),
  SVC_RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000)
    .default(0)
    .describe('Maximum number of requests per API key and minute, on each instance; 0: no limit.'),
  SVC_RATE_LIMIT_FAILURES_PER_MINUTE: integer(0, 1_000_000)
    .default(600)
    .describe(
      'Maximum number of failed authentications (401) and unknown webhook addresses (404) per client address and minute; 0: no ' +
        'limit.',
    ),
  SVC_WEBHOOK_MAX_BODY_MB: integer(1, 32)
    .default(10)
    .describe(
      'Maximum body size of a delivery from a provider, in megabytes of 1,048,576 bytes; compressed bodies are measured decompressed.',
    ),
  SVC_TRUSTED_PROXIES: cidrList.describe(
    'Comma-separated addresses or CIDRs of reverse proxies whose X-Forwarded-For is trusted.',
  ),
  SVC_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,255}$/, 'must have 32 to 255 characters of ASCII, without spaces')
    .optional()
    .describe(
      'Bearer token required for GET /metrics; unset: it answers only requests from this machine without a forwarding header.',
    ),
  SVC_SECURITY_CONTACT: contactList.describe(
    'Comma-separated mailto:, https: or tel: URIs for reports of vulnerabilities, shown at /.well-known/security.txt; unset: 404.',
  ),
  SVC_SHARED_APPS_FILE: z
    .string()
    .optional()
    .describe('JSON file with shared developer apps: {"<provider>": {"client_id", "client_secret", "scopes": []}}.'),
  SVC_FRAME_ANCESTORS: frameAncestors
    .default("'self' http://localhost:* http://127.0.0.1:*")
    .describe('Pages that may embed the connect UI, as in CSP frame-ancestors: origins, separated by spaces.'),
  SVC_ALLOW_HTTP: toggle.describe('Allows members to sign in to the dashboard over plain http from other machines: on or off.'),
  SVC_ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe(
      'E-mail address of the first admin of the dashboard, created at startup if there is no admin; with SVC_ADMIN_PASSWORD_FILE.',
    ),
  SVC_ADMIN_PASSWORD_FILE: z
    .string()
    .optional()
    .describe('File with the password of that admin, or with its hash in the format that the service stores.'),
  SVC_REQUIRE_MFA: z
    .enum(['off', 'admins', 'all'], 'must be off, admins or all')
    .default('off')
    .describe('Who needs a second factor in addition to the password: off, admins or all.'),
  SVC_COMPANY_LOGOS: companyLogos
    .default('own')
    .describe(
      'Icons of the companies of end users in the dashboard: own (from their websites), off, or an https URL with {domain}.',
    ),
  SVC_OIDC_ISSUER: publicUrl
    .optional()
    .describe('Issuer URL of the identity provider through which members sign in to the dashboard (OpenID Connect).'),
  SVC_OIDC_CLIENT_ID: z
    .string()
    .optional()
    .describe('Client ID of the service at the identity provider; its redirect URI is {SVC_BASE_URL}/api/ui/oidc/callback.'),
  SVC_OIDC_CLIENT_SECRET: z.string().optional().describe('Client secret of the service at the identity provider.'),
  SVC_OIDC_NAME: z.string().max(60).default('single sign-on').describe('Name of the identity provider on the sign-in page.'),
  SVC_OIDC_ALLOWED_DOMAINS: domainList
    .transform((domains) => domains.map((domain) => domain.toLowerCase()))
    .describe(
      'Comma-separated domains whose verified e-mail addresses may sign in this way, also as new members; unset: only existing ' +
        'members.',
    ),
  SVC_OIDC_ADMIN_GROUP: z
    .string()
    .optional()
    .describe('Entry of the claim groups that makes a member an admin; unset: admins decide who is one.'),
  SVC_OIDC_ONLY: toggle.describe('Rejects sign-ins by password: on or off.'),
  SVC_CLIENT_PREFIX: z
    .string()
    .regex(/^(?!svc$)[a-z][a-z0-9]{0,31}$/i, 'must be 1 to 32 letters and digits, begin with a letter and differ from Svc')
    .optional()
    .describe(
      'Additional prefix for the headers of existing clients and of the webhook signature; also enables their pages to connect.',
    ),
  SVC_LEGACY_PUBLIC_KEY: toggle.describe('Accepts the deprecated public key with HMAC during a migration: on or off.'),
  ...traceSettings,
  NODE_ENV: z.string().optional().describe('With production, settings that are meant for tests are rejected.'),
  FAULT_AT: z
    .string()
    .regex(/^[a-z][a-z0-9_.-]*:[1-9]\d{0,5}$/i, 'must have the form name:n, with n from 1')
    .optional()
    .describe('Kill point for tests, as name:n; the process ends when it passes the point of that name for the n-th time.'),
  CHROMIUM: z.string().optional().describe('Path of the Chromium that browser tests use.'),
} as const;

/** The parsed settings. `SVC_BASE_URL` has no trailing slash. */
export type Config = Readonly<Omit<z.output<z.ZodObject<typeof settings>>, 'SVC_BASE_URL'> & { SVC_BASE_URL: string }>;
