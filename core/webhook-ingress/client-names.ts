import { type IncomingWebhook, isObject } from '#contract';
import { CONNECTION_ID_PARAMETER } from '../integrations/webhook-address.ts';

/**
 * Registrations that clients made before they came here name the connection under a prefix of their own, in the address or in
 * the body: plugins find it under ours, unless it is there already.
 *
 * @param prefix as `SVC_CLIENT_PREFIX`, in small letters
 */
export function underOurNames(webhook: IncomingWebhook, prefix: string | undefined): IncomingWebhook {
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
