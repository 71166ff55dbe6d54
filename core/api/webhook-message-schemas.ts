import * as z from 'zod';
import { jsonObject } from '#contract';
import { WEBHOOK_MESSAGE } from './examples.ts';
import { connectionId, dateTime, uniqueKey } from './schemas.ts';

/** What the endpoints of webhook messages have in common. */

export const WEBHOOK_MESSAGES = 'Webhook messages';

const status = z.enum(['pending', 'delivered', 'failed', 'paused']);
const type = z.enum(['auth', 'forward', 'test']);
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Which messages are meant, in lists and for replays. */
export const messageFilter = z.strictObject({
  status: status.optional().meta({ description: '`paused`: its target takes none for now', example: 'failed' }),
  type: type.optional().meta({ description: '`test`: one that was asked for', example: 'auth' }),
  connection_id: connectionId.optional(),
  integration: uniqueKey.optional(),
  since: moment.optional().meta({ description: 'made then or later', example: '2026-01-15T00:00:00Z' }),
  until: moment.optional().meta({ description: 'made before', example: '2026-01-16T00:00:00Z' }),
});

export const messagePath = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,255}$/)
    .meta({ description: 'what the header `webhook-id` carried', example: WEBHOOK_MESSAGE.id }),
});

/** A message as lists show it. */
export const listedMessage = z.strictObject({
  id: z.string(),
  type: z.string(),
  operation: z.string().nullable(),
  connection_id: z.string().nullable(),
  provider_config_key: z.string().nullable(),
  status,
  created_at: dateTime,
  next_attempt_at: dateTime.nullable(),
});

const attempt = z.strictObject({
  at: dateTime,
  url: z.string(),
  status: z.int().nullable().describe('null: there was no answer'),
  duration_ms: z.int(),
  error: z.string().nullable(),
  is_replay: z.boolean(),
});

export const fullMessage = listedMessage.extend({ payload: jsonObject, attempts: z.array(attempt) });

export const testBody = z.strictObject({
  type: z.enum(['auth', 'forward']).meta({ description: 'what the message looks like', example: 'auth' }),
});
