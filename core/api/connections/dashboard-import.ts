import * as z from 'zod';
import { admitImport, storeImport } from '../../connect/establish/import-connection.ts';
import { connectionRecord } from '../../connections/connection-record.ts';
import { withTransaction } from '../../db/transaction.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { auditContext } from '../audit-context.ts';
import { CONNECTION } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { requireHosts, requireSettings } from '../setting-permissions.ts';
import { importInput, readImport } from './connection-import.ts';
import { CONNECTIONS, record } from './connection-schemas.ts';

const importOne = defineRoute({
  ...importInput,
  method: 'POST',
  path: '/api/ui/e/:env/connections/import',
  operationId: 'importByHand',
  access: { dashboard: 'environment:connections:create' },
  summary: 'Import a connection: create it, or replace the credentials of an existing one',
  tag: CONNECTIONS,
  responses: {
    200: {
      description: 'The stored connection, without credentials. Omitted fields of an existing connection stay unchanged.',
      schema: z.strictObject({ data: record.extend({ credentials: z.strictObject({}) }) }),
      example: { data: { ...CONNECTION, credentials: {} } },
    },
    400: { description: 'The body is invalid or does not fit the provider, or the provider rejected the credentials.' },
    404: { description: 'The environment or the integration does not exist.' },
    503: { description: 'The provider could not be reached to verify the credentials.' },
  },
  async handle(services: ApiServices, { caller, address, body }) {
    requireSettings(caller, body);
    await requireHosts(services, caller, { [body.provider_config_key]: body.connection_config });
    const admitted = await admitImport(services, environmentInPath(caller).id, { ...readImport(body), notify: true });
    const connection = await withTransaction(services.db, async (db) => {
      const here = { ...services, db };
      const stored = await storeImport(here, admitted);
      const subject = { type: 'connection', id: stored.connectionId } as const;
      const facts = { integration: stored.providerConfigKey, given: Object.keys(body) };
      await recordAudit(here, { ...auditContext({ caller, address }), action: 'connection.import', subject, facts });
      return stored;
    });
    return { body: { data: connectionRecord(connection, { credentials: false, refreshToken: false }) } };
  },
});

export const dashboardImportRoutes = [importOne];
