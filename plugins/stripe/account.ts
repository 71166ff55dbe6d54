import { type ConnectionKey, type IncomingWebhook, type Json, textAt } from '#contract';

/** An account's own endpoint has an address that names its connection. */
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
 * Whose event it is. `account` is there in events of a platform's accounts only. Events of an organization's accounts and thin
 * ones have `context`: the accounts on the way to that one, itself at the end. Thin events about an account itself may have neither.
 */
function accountOf(payload: Json): string | undefined {
  const named = textAt(payload, 'account') ?? textAt(payload, 'context')?.split('/').at(-1);
  if (named !== undefined) return named;
  return textAt(payload, 'related_object.type') === 'v2.core.account' ? textAt(payload, 'related_object.id') : undefined;
}
