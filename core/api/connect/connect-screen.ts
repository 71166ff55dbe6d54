import * as z from 'zod';
import { changeIntegration } from '../../connections/integrations/change-integration.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { guideUrl } from '../connect-sessions/session-body.ts';
import { recordedChange } from '../dashboard/recorded-change.ts';
import { byKey } from '../integrations/integration-schemas.ts';
import type { ApiServices } from '../services.ts';
import { requireDeciding } from '../setting-permissions.ts';

const LAST = 999;

export const connectScreen = z.strictObject({
  guide_url: guideUrl.nullable().describe('null: the guide of the provider’s definition'),
  position: z
    .int()
    .min(1)
    .max(LAST)
    .nullable()
    .describe('place in the list of integrations; null: by name, after those that have a place'),
});

export function connectScreenRecord({ connectScreen: screen }: Pick<Integration, 'connectScreen'>) {
  return { guide_url: screen.guideUrl, position: screen.position };
}

const put = defineRoute({
  method: 'PUT',
  path: '/api/ui/e/:env/integrations/:uniqueKey/connect-screen',
  operationId: 'setConnectScreen',
  access: { dashboard: 'environment:integrations:update' },
  summary: 'Set what end users see of an integration when they connect',
  tag: 'Integrations',
  params: byKey,
  body: connectScreen,
  bodyExample: { guide_url: 'https://docs.example.com/connect', position: 1 },
  responses: {
    200: {
      description: 'The new settings.',
      schema: z.strictObject({ data: connectScreen }),
      example: { data: { guide_url: 'https://docs.example.com/connect', position: 1 } },
    },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { params, body, ...by }) {
    const { caller } = by;
    const address = { environmentId: environmentOf(caller), uniqueKey: params.uniqueKey };
    const changes = {
      connectScreen: { guideUrl: body.guide_url, position: body.position },
      authorize: requireDeciding.bind(undefined, caller),
    };
    const changed = await recordedChange(services, { ...by, caller }, async (here, record) => {
      const integration = await changeIntegration(here, address, changes);
      const subject = { type: 'integration', id: address.uniqueKey, name: integration.displayName } as const;
      await record({
        environmentId: address.environmentId,
        action: 'integration.update',
        subject,
        facts: { given: ['connect_screen'] },
      });
      return integration;
    });
    return { body: { data: connectScreenRecord(changed) } };
  },
});

export const connectScreenRoutes = [put];
