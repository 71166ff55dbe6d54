import { type ConnectionKey, type IncomingWebhook, type Json, textAt } from '#contract';

/** An account's own endpoint has an address that names its connection. */
export function connectionNamedBy(query: IncomingWebhook['query']): string | undefined {
  return textAt(query, 'svcConnectionId');
}

/** `account` is there in events of a platform's accounts only. */
export function connectionsOf(payload: Json, connectionId: string | undefined): ConnectionKey[] {
  const account = textAt(payload, 'account');
  return [
    ...(connectionId === undefined ? [] : [{ by: 'connectionId', value: connectionId } as const]),
    ...(account === undefined ? [] : [{ by: 'connectionConfig', field: 'account_id', value: account } as const]),
  ];
}
