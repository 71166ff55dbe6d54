import * as z from 'zod';
import { integrationNames } from '../../connections/integrations/integration-names-store.ts';
import { busiestIntegrations } from '../../journal/operation-log/busiest-store.ts';
import { failureGroups } from '../../journal/operation-log/failure-store.ts';
import { NAMED_INTEGRATION, shownIntegration } from '../current-names.ts';
import { LOG } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const SHOWN = 5;

const integration = z.strictObject({
  unique_key: z.string(),
  display_name: z.string().describe('the key, if no integration has or had it'),
  logo: z.url().nullable(),
});

/** The schemas of what happened last and most. */
export const busy = {
  failures: z
    .array(
      z.strictObject({
        type: z.string().describe('type of the operations'),
        integration: integration.nullable(),
        summary: z.string().describe('what the log says of the latest one'),
        log_id: z.string().describe('ID of the log entry of the latest one'),
        count: z.int().describe('how often it happened in the period, among the latest 10,000 failures'),
        latest_at: dateTime,
      }),
    )
    .describe('the failures that happened last, the latest first'),
  busiest: z
    .array(z.strictObject({ integration, total: z.int(), failed: z.int() }))
    .describe('the integrations with most of the latest 10,000 proxied calls that the log has of the period'),
};
type Busy = z.output<z.ZodObject<typeof busy>>;

export const BUSY: Busy = {
  failures: [
    {
      type: 'refresh',
      integration: NAMED_INTEGRATION,
      summary: 'the provider answered invalid_grant',
      log_id: LOG.id,
      count: 3,
      latest_at: LOG.created_at,
    },
  ],
  busiest: [{ integration: NAMED_INTEGRATION, total: 1_204, failed: 3 }],
};

/** Returns the latest failures of an environment since a time, those that say the same as one, and its busiest integrations. */
export async function busySince({ db, baseUrl }: ApiServices, environmentId: number, since: Date): Promise<Busy> {
  const failures = await failureGroups(db, environmentId, { since, first: 'latest', limit: SHOWN });
  const busiest = await busiestIntegrations(db, environmentId, { since, limit: SHOWN });
  const keys = [...failures, ...busiest].flatMap(({ provider_config_key: key }) => key ?? []);
  const names = await integrationNames(db, environmentId, keys);
  const shown = (key: string) => {
    const known = names.get(key);
    const nameless = { display_name: key, logo: null };
    return { ...(known ? shownIntegration(baseUrl, known) : nameless), unique_key: key };
  };
  return {
    failures: failures.map(({ type, provider_config_key: key, latest, count }) => {
      const { summary, id, at } = latest;
      const latestAt = new Date(at).toISOString();
      return { type, integration: key === null ? null : shown(key), summary, log_id: id, count, latest_at: latestAt };
    }),
    busiest: busiest.map(({ provider_config_key: key, total, failed }) => ({ integration: shown(key), total, failed })),
  };
}
