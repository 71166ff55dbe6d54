import * as z from 'zod';
import { defineRoute } from '../../server/route.ts';
import type { OidcSettings } from '../../tenants/members/oidc.ts';
import type { ApiServices } from '../services.ts';

const MEGABYTE = 1024 * 1024;

const instance = z.strictObject({
  version: z.string(),
  base_url: z.string(),
  database: z.enum(['embedded', 'external']),
  encryption_key: z.strictObject({
    current: z.string().describe('ID of the key that currently encrypts'),
    others: z.array(z.string()).describe('IDs of the keys that only decrypt'),
  }),
  log_retention_days: z.int().describe('for how many days the operation log is kept, unless it exceeds `log_max_mb` before'),
  log_max_mb: z.int().describe('size of the operation log, in megabytes, above which its oldest part is removed'),
  company_logos: z.string().describe('source of logos: `own` (the companies’ sites), `off`, or the host that is queried'),
  sign_in: z.strictObject({
    passwords: z.boolean().describe('whether passwords are accepted'),
    second_factor: z.enum(['off', 'admins', 'all']).describe('who needs a second factor besides the password'),
    provider: z
      .strictObject({
        name: z.string(),
        issuer: z.string(),
        allowed_domains: z
          .array(z.string())
          .describe('e-mail domains of people who may join without an invitation; empty: only people of the group'),
        admin_group: z.string().nullable(),
      })
      .nullable()
      .describe('null: no identity provider is configured'),
  }),
});

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/account/instance',
  operationId: 'getInstance',
  access: { dashboard: 'administer' },
  summary: 'Get version and settings of the instance',
  tag: 'Account',
  responses: {
    200: {
      description: 'The instance.',
      schema: z.strictObject({ data: instance }),
      example: {
        data: {
          version: '1.0.0',
          base_url: 'https://svc.acme.example',
          database: 'external',
          encryption_key: { current: 'k2', others: ['k1'] },
          log_retention_days: 15,
          log_max_mb: 4096,
          company_logos: 'own',
          sign_in: {
            passwords: true,
            second_factor: 'admins',
            provider: {
              name: 'Acme SSO',
              issuer: 'https://id.acme.example',
              allowed_domains: ['acme.example'],
              admin_group: 'platform',
            },
          },
        },
      },
    },
  },
  async handle(services: ApiServices) {
    const { version, baseUrl, databaseKind, keys, logRetentionDays, logMaxBytes, takesPasswords, requiresFactor, oidc } =
      services;
    const current = keys.currentKeyId;
    const others = keys.keyIds.filter((id) => id !== current);
    const data = {
      version,
      base_url: baseUrl,
      database: databaseKind,
      encryption_key: { current, others },
      log_retention_days: logRetentionDays,
      log_max_mb: logMaxBytes / MEGABYTE,
      company_logos: whoIsAsked(services.companyLogosFrom),
      sign_in: {
        passwords: takesPasswords,
        second_factor: requiresFactor,
        provider: oidc === undefined ? null : providerRecord(oidc.settings),
      },
    };
    return { body: { data } };
  },
});

export const instanceRoutes = [read];

/** Returns the settings of the identity provider without the client's secret. */
function providerRecord({ name, issuer, allowedDomains, adminGroup }: OidcSettings) {
  return { name, issuer, allowed_domains: [...allowedDomains], admin_group: adminGroup ?? null };
}

/**
 * Returns the host of a URL without its path and query, which may contain an API key for that host. A text that is not a URL is
 * returned unchanged.
 */
function whoIsAsked(from: string): string {
  return URL.parse(from)?.host ?? from;
}
