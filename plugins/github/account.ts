import { type HookContext, type JsonObject, textAt } from '#contract';

/** Asks whose token it is: webhooks of the user's own repositories are told apart by that. A number stays when names change. */
export async function findUser(ctx: HookContext): Promise<JsonObject> {
  try {
    const response = await ctx.fetch('https://api.github.com/user', {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${ctx.tokens.accessToken}`,
        'user-agent': 'svc',
        'x-github-api-version': '2022-11-28',
      },
    });
    const userId = response.ok ? textAt(await response.json(), 'id') : undefined;
    if (userId !== undefined) return { user_id: userId };
    ctx.log('GitHub does not say whose token this is', { status: response.status });
  } catch {
    // Without webhooks the connection is whole.
    ctx.log('GitHub could not be asked whose token this is');
  }
  return {};
}
