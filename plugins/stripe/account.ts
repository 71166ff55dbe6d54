import { type ConnectionKey, type IncomingWebhook, type Json, textAt } from '#contract';

/** Returns the connection ID in the URL. Only the URL of an endpoint for a single account contains it. */
export function connectionNamedBy(query: IncomingWebhook['query']): string | undefined {
  return textAt(query, 'svcConnectionId');
}

export function connectionsOf(payload: Json, connectionId: string | undefined): ConnectionKey[] {
  const account = accountOf(payload);
  return [
    ...(connectionId === undefined ? [] : [{ by: 'connectionId', value: connectionId } as const]),
    ...(account === undefined ? [] : [{ by: 'connectionConfig', field: 'account_id', value: account } as const]),
  ];
}

/**
 * Returns the account that the event belongs to. Only events of a platform's accounts have `account`. Events of an organization's
 * accounts and thin events have `context`, a path of accounts whose last one is the account of the event. Thin events about an
 * account itself may have neither.
 */
function accountOf(payload: Json): string | undefined {
  const named = textAt(payload, 'account') ?? textAt(payload, 'context')?.split('/').at(-1);
  if (named !== undefined) return named;
  return textAt(payload, 'related_object.type') === 'v2.core.account' ? textAt(payload, 'related_object.id') : undefined;
}
