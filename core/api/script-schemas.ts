import * as z from 'zod';
import { anyJson } from '#contract';
import { LANGUAGES, SCRIPT_EVENTS } from '../scripts/event.ts';
import type { ScriptState } from '../scripts/script-store.ts';
import { SCRIPT_EVENT } from './examples.ts';
import { dateTime, uniqueKey } from './schemas.ts';

export const SCRIPTS = 'Scripts';

/** A source has at most 256 KB; as JSON it may be six times as long. */
export const SCRIPT_BODY_BYTES = 2 * 1024 * 1024;

const event = z.enum(SCRIPT_EVENTS);

export const scriptPath = z.strictObject({
  uniqueKey,
  event: event.meta({ description: 'what the script is run on', example: SCRIPT_EVENT }),
});

export const deployBody = z.strictObject({
  source: z.string().min(1).meta({ description: 'an ES module without imports, at most 256 KB' }),
  language: z.enum(LANGUAGES),
});

export const changeBody = z.strictObject({
  enabled: z.boolean().optional(),
  version: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional()
    .meta({ description: 'the one to run from now on, such as an earlier one' }),
});

export const script = z.strictObject({
  event,
  version: z.int().describe('the active one'),
  enabled: z.boolean(),
  created_at: dateTime.describe('of the active version'),
});

export const scriptRun = z.strictObject({
  id: z.string(),
  version: z.int(),
  connection_id: z.string().nullable().describe('whose run it was; null where there was no connection yet'),
  status: z.enum(['done', 'failed', 'killed']),
  started_at: dateTime,
  duration_ms: z.int(),
  memory_mb: z.number().describe('what its process grew by'),
  cause: z.string().nullable().describe('why it did not do what it should'),
  log: z.array(
    z.strictObject({
      at: z.number().describe('milliseconds since its start'),
      level: z.enum(['debug', 'info', 'warn', 'error']),
      message: z.string(),
      facts: anyJson.optional(),
    }),
  ),
});

export function scriptRecord({ event, version, enabled, createdAt }: ScriptState) {
  return { event, version, enabled, created_at: createdAt.toISOString() };
}
