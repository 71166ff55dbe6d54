import { type ConnectionKey, type HookContext, type IncomingWebhook, type Json, type JsonObject, textAt } from '#contract';

/** Asks whose key it is. A restricted key may not be allowed to; its connection then has no account. */
export async function findAccount(ctx: HookContext): Promise<JsonObject> {
  try {
    const response = await ctx.fetch('https://api.stripe.com/v1/account', {
      headers: { authorization: `Bearer ${ctx.tokens.accessToken}` },
    });
    const account = response.ok ? textAt(await response.json(), 'id') : undefined;
    if (account !== undefined) return { account_id: account };
    ctx.log('Stripe does not say whose key this is', { status: response.status });
  } catch {
    // Without webhooks the connection is whole.
    ctx.log('Stripe could not be asked whose key this is');
  }
  return {};
}

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
