import { type HookContext, type JsonObject, textAt } from '#contract';

/** Asks which workspace the token is for: one app's webhooks of all workspaces come to one address. */
export async function findOrganization(ctx: HookContext): Promise<JsonObject> {
  try {
    const response = await ctx.fetch('https://api.linear.app/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${ctx.tokens.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ organization { id } }' }),
    });
    const organization = response.ok ? textAt(await response.json(), 'data.organization.id') : undefined;
    if (organization !== undefined) return { organization_id: organization };
    ctx.log('Linear does not say which workspace this token is for', { status: response.status });
  } catch {
    // Without webhooks the connection is whole.
    ctx.log('Linear could not be asked which workspace this token is for');
  }
  return {};
}
