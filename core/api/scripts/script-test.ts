import * as z from 'zod';
import { anyJson } from '#contract';
import { requireScriptPlace } from '../../scripts/scripts.ts';
import { type TestedRun, testRun } from '../../scripts/test-run.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { recordedChange } from '../dashboard/recorded-change.ts';
import { CONNECTION_ID, SCRIPT } from '../examples.ts';
import { connectionId } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { ofScript } from './dashboard-routes.ts';

const webhook = z.strictObject({
  type: z.string().max(255).describe('type of the webhook; empty: the provider has none'),
  headers: z.record(z.string().min(1).max(256), z.string().max(8_192)).default({}),
  verified: z.boolean().default(true),
  payload: anyJson,
});

const call = z.strictObject({
  name: z.string().describe('name of the function of `svc`'),
  method: z.string().optional(),
  endpoint: z.string().optional().describe('endpoint without its query'),
  status: z.int().nullable().optional().describe('status of the provider’s response; null: no response'),
  metadata: anyJson.optional().describe('metadata that would have been written'),
  duration_ms: z.int(),
  error: z.string().optional(),
});

const tested = z.strictObject({
  status: z.enum(['done', 'failed', 'killed']),
  cause: z.string().nullable().describe('why the run did not complete'),
  error: z.string().nullable(),
  result: anyJson.describe('value that the script returned; null: none'),
  duration_ms: z.int(),
  memory_mb: z.number(),
  log: z.array(
    z.strictObject({
      at: z.number().describe('milliseconds since the start of the run'),
      level: z.enum(['debug', 'info', 'warn', 'error']),
      message: z.string(),
      facts: anyJson.optional(),
    }),
  ),
  calls: z.array(call).describe('at most 200, in the order in which they ended'),
});

const test = defineRoute({
  method: 'POST',
  path: '/api/ui/e/:env/integrations/:uniqueKey/scripts/:event/test',
  operationId: 'testScript',
  access: { dashboard: 'environment:scripts:write' },
  summary: 'Test a version of a script for a connection; its calls change data at the provider, but metadata is not written',
  tag: 'Scripts',
  params: ofScript,
  body: z.strictObject({
    connection_id: connectionId,
    version: z
      .int()
      .min(1)
      .max(2 ** 31 - 1),
    webhook: webhook.optional().describe('only for `on-webhook`'),
  }),
  bodyExample: { connection_id: CONNECTION_ID, version: SCRIPT.version },
  responses: {
    200: {
      description: 'The outcome of the run, even if it failed.',
      schema: z.strictObject({ data: tested }),
      example: {
        data: {
          status: 'done',
          cause: null,
          error: null,
          result: null,
          duration_ms: 412,
          memory_mb: 3.5,
          log: [{ at: 120, level: 'info', message: 'welcomed' }],
          calls: [{ name: 'proxy', method: 'GET', endpoint: '/me', status: 200, duration_ms: 84 }],
        },
      },
    },
    404: { description: 'There is no such integration, script, version or connection.' },
  },
  async handle(services: ApiServices, { params, body, ...by }) {
    const environment = environmentInPath(by.caller);
    const { uniqueKey: key, event } = params;
    const place = await requireScriptPlace(services.db, { event, uniqueKey: key, environmentId: environment.id });
    await recordedChange(services, by, async (_, record) => {
      const facts = { integration: key, version: body.version, connection_id: body.connection_id };
      await record({ environmentId: environment.id, action: 'script.test', subject: { type: 'script', id: event }, facts });
    });
    const request = {
      place,
      version: body.version,
      providerConfigKey: key,
      connectionId: body.connection_id,
      webhook: body.webhook,
    };
    return { body: { data: shown(await testRun(services, request)) } };
  },
});

export const scriptTestRoutes = [test];

function shown({ status, cause, error, result, durationMs, memoryMb, log, calls }: TestedRun) {
  return {
    status,
    cause: cause ?? null,
    error: error === undefined ? null : `${error.name}: ${error.message}`,
    result: result ?? null,
    duration_ms: Math.round(durationMs),
    memory_mb: Math.round(memoryMb * 10) / 10,
    log: log.map((line) => ({ ...line, at: Math.round(line.at) })),
    calls,
  };
}
