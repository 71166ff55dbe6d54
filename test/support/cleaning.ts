import { type Folders, makeFolders } from './folders.ts';
import { type LoopbackServer, serve } from './loopback-server.ts';

const PROVIDER = {
  display_name: 'Cleaning',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
};

/** Removes at the provider what belongs to a connection, in the connection's name. */
const PLUGIN = `
import { PluginError, type ProviderPlugin } from '#contract';

export default {
  contract: 1,
  connection: {
    beforeDeletion: async ({ fetch, tokens, integrationConfig, connection }) => {
      const headers = { authorization: \`Bearer \${tokens.accessToken}\` };
      const url = \`\${String(integrationConfig['server'])}/hooks/\${connection.connectionId}\`;
      const answer = await fetch(url, { method: 'DELETE', headers });
      if (!answer.ok) throw new PluginError('provider_unavailable', 'The hook could not be removed.');
    },
  },
} satisfies ProviderPlugin;
`;

/** A provider whose plugin cleans up, for `SVC_PLUGINS_DIR`. */
export async function makeCleaningProvider(): Promise<Folders & { readonly env: Record<string, string> }> {
  const folders = await makeFolders({
    'plugins/cleaning/provider.json': JSON.stringify(PROVIDER),
    'plugins/cleaning/plugin.ts': PLUGIN,
  });
  return { ...folders, env: { SVC_PLUGINS_DIR: `${folders.path}/plugins` } };
}

/** The provider's side: every clean-up that arrived, by connection ID. */
export class CleaningServer implements AsyncDisposable {
  readonly cleaned: string[] = [];
  /** Requests under way at once, at most. */
  mostAtOnce = 0;
  /** The status that clean-ups get. */
  status = 204;
  /** How long each takes. */
  delayMs = 0;
  #atOnce = 0;
  #server: LoopbackServer | undefined;

  static async start(): Promise<CleaningServer> {
    const server = new CleaningServer();
    server.#server = await serve((request, response) => {
      server.cleaned.push((request.url ?? '').replace('/hooks/', ''));
      server.#atOnce += 1;
      server.mostAtOnce = Math.max(server.mostAtOnce, server.#atOnce);
      setTimeout(() => {
        server.#atOnce -= 1;
        response.writeHead(server.status).end();
      }, server.delayMs);
    });
    return server;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}
