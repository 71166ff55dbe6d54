import * as z from 'zod';
import { FLOW_STATES } from '../../connect/flows/flow-state.ts';
import type { FollowedFlow } from '../../connect/flows/followed-flow.ts';
import { UI_ERROR_CODES } from '../../connect/flows/ui-errors.ts';
import { FLOW_ID, INTEGRATION_KEY, LOG_ID } from '../examples.ts';
import { dateTime } from '../schemas.ts';

export const flowId = z.uuid().meta({ description: 'made by the user interface that begins the flow', example: FLOW_ID });

/** A flow as user interfaces see it. */
export const flow = z
  .strictObject({
    id: flowId,
    integration_id: z.string(),
    state: z.enum(FLOW_STATES).meta({
      description:
        'in this order, of which some are left out: forms begin with `verifying`, and only where the provider lists several does the ' +
        'user have to choose. The last four are final',
    }),
    version: z.int().meta({ description: 'higher with each change' }),
    expires_at: dateTime.meta({ description: 'what has not happened until then has failed' }),
    error: z
      .strictObject({
        code: z.enum(UI_ERROR_CODES),
        message: z.string().nullable().meta({ description: 'a sentence of the plugin or the script, for the user' }),
        fields: z.array(
          z.strictObject({
            path: z.array(z.string()).meta({ description: '`params` or `credentials`, and the name of the field' }),
            code: z.string().meta({ description: '`required`, `invalid_format`, `invalid_value`, `too_big`, …' }),
            message: z.string(),
          }),
        ),
        log_id: z.string().nullable().meta({ description: 'of the entry in the operation log' }),
        retry_after: z.number().nullable().meta({ description: 'seconds' }),
      })
      .nullable(),
    account: z
      .strictObject({ name: z.string().optional(), email: z.string().optional() })
      .nullable()
      .meta({ description: 'whose account was connected, if the provider says so' }),
    options: z
      .array(z.strictObject({ id: z.string(), label: z.string() }))
      .meta({ description: 'only while `choosing`; answered by `POST /connect/flows/{flow_id}/choice`' }),
    is_limited: z.boolean().meta({ description: 'the access may be for a limited time' }),
    connection_id: z.string().optional().meta({ description: 'deprecated, only for existing clients; the auth webhook has it' }),
  })
  .meta({ id: 'Flow' });

export const FLOW_EXAMPLE = {
  id: FLOW_ID,
  integration_id: INTEGRATION_KEY,
  state: 'succeeded',
  version: 7,
  expires_at: '2026-01-15T10:00:00.000Z',
  error: null,
  account: { name: 'Ada', email: 'ada@acme.example' },
  options: [],
  is_limited: false,
};

export const FAILED_FLOW_EXAMPLE = {
  ...FLOW_EXAMPLE,
  state: 'failed',
  version: 2,
  error: { code: 'credentials_rejected', message: null, fields: [], log_id: LOG_ID, retry_after: null },
  account: null,
};

/** Returns a flow as the API shows it. @param hasConnectionIds whether existing clients expect them */
export function flowBody(one: FollowedFlow, hasConnectionIds: boolean): Record<string, unknown> {
  const { error, connectionId } = one;
  return {
    id: one.flowId,
    integration_id: one.uniqueKey,
    state: one.state,
    version: one.version,
    expires_at: one.expiresAt.toISOString(),
    error: error && {
      code: error.code,
      message: error.message,
      fields: error.fields,
      log_id: error.logId,
      retry_after: error.retryAfter,
    },
    account: one.account,
    options: one.options,
    is_limited: one.isLimited,
    ...(hasConnectionIds && connectionId !== undefined && { connection_id: connectionId }),
  };
}
