import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { rotateWebhookSecret, signingSecrets } from '../../tenants/environments/webhook-secret.ts';
import { auditContext } from '../audit-context.ts';
import { recordedChange } from '../dashboard/recorded-change.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const secret = z.strictObject({
  secret: z.string().describe('newest key, which signs webhooks'),
  old_signs_until: dateTime.nullable().describe('until when the previous key also signs'),
});
const shared = {
  method: 'POST',
  access: { dashboard: 'reveal' },
  tag: 'Settings of an environment',
} as const;
const SECRET = { secret: 'whsec_example', old_signs_until: '2026-01-16T10:00:00.000Z' };
const response = {
  description: 'The signing key.',
  schema: z.strictObject({ data: secret }),
  example: { data: SECRET },
};

const reveal = defineRoute({
  ...shared,
  path: '/api/ui/e/:env/webhooks/signing-key/reveal',
  operationId: 'revealSigningKey',
  summary: 'Reveal the key that signs webhooks; in production for admins',
  responses: { 200: response },
  async handle(services: ApiServices, { caller, address }) {
    const environment = environmentInPath(caller);
    const secrets = await signingSecrets(services, environment.id);
    if (secrets === undefined) throw new ServiceError('not_found', 'the environment has no signing key');
    const { id, name } = environment;
    const subject = { type: 'environment', id: String(id), name } as const;
    const entry = { environmentId: id, action: 'webhook_secret.reveal', subject } as const;
    await recordAudit(services, { ...auditContext({ caller, address }), ...entry });
    return { body: { data: { secret: secrets.current, old_signs_until: secrets.old?.until ?? null } } };
  },
});

const rotate = defineRoute({
  ...shared,
  path: '/api/ui/e/:env/webhooks/signing-key/rotate',
  operationId: 'rotateSigningKey',
  summary: 'Replace the key that signs webhooks; for 24 hours, the previous one also signs; in production for admins',
  responses: {
    200: response,
    409: { description: 'The key was already replaced within the last 24 hours.' },
  },
  async handle(services: ApiServices, by) {
    const environment = environmentInPath(by.caller);
    const { current, old } = await recordedChange(services, by, async (here, record) => {
      const secrets = await rotateWebhookSecret(here, environment.id);
      const { id, name } = environment;
      const subject = { type: 'environment', id: String(id), name } as const;
      await record({ environmentId: id, action: 'webhook_secret.rotate', subject });
      return secrets;
    });
    return { body: { data: { secret: current, old_signs_until: old?.until ?? null } } };
  },
});

export const signingKeyRoutes = [reveal, rotate];
