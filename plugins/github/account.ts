import { type ConnectionKey, type HookContext, type Json, type JsonObject, textAt } from '#contract';

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

/** From what is certain to what is likely: the app's installation, what the application named itself, the repository's owner. */
export function connectionsOf(payload: Json): ConnectionKey[] {
  const installation = textAt(payload, 'installation.id');
  const repository = textAt(payload, 'repository.id');
  const organization = textAt(payload, 'organization.id');
  const owner = textAt(payload, 'repository.owner.id');
  return [
    ...keyIf(installation, (value) => ({ by: 'connectionConfig', field: 'installation_id', value })),
    ...keyIf(repository, (value) => ({ by: 'metadataContains', field: 'repository_ids', value })),
    ...keyIf(organization, (value) => ({ by: 'metadataContains', field: 'organization_ids', value })),
    ...keyIf(owner, (value) => ({ by: 'connectionConfig', field: 'user_id', value })),
  ];
}

function keyIf(value: string | undefined, key: (value: string) => ConnectionKey): ConnectionKey[] {
  return value === undefined ? [] : [key(value)];
}
