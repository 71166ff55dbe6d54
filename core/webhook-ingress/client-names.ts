import { type IncomingWebhook, isObject } from '#contract';
import { CONNECTION_ID_PARAMETER } from '../connections/integrations/webhook-address.ts';

/**
 * Existing registrations of clients name the connection with another prefix, in the URL or in the body. Plugins get it under our
 * name, unless that is present.
 *
 * @param prefix `SVC_CLIENT_PREFIX` in lower case
 */
export function withOurNames(webhook: IncomingWebhook, prefix: string | undefined): IncomingWebhook {
  if (prefix === undefined) return webhook;
  const theirs = `${prefix}ConnectionId`;
  const { query, payload } = webhook;
  return {
    ...webhook,
    query: renamed(query, theirs) ?? query,
    payload: isObject(payload) ? (renamed(payload, theirs) ?? payload) : payload,
  };
}

function renamed<T>(members: Readonly<Record<string, T>>, theirs: string): Record<string, T> | undefined {
  const value = Object.hasOwn(members, theirs) ? members[theirs] : undefined;
  if (value === undefined || Object.hasOwn(members, CONNECTION_ID_PARAMETER)) return undefined;
  return { ...members, [CONNECTION_ID_PARAMETER]: value };
}
