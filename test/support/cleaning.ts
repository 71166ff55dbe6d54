import { type Folder, makeFolders } from './folders.ts';
import { type LoopbackServer, serve } from './loopback-server.ts';

const PROVIDER = {
  display_name: 'Cleaning',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
};

/**
 * A plugin that removes a connection's webhook at the provider, with the connection's token, before the connection is deleted.
 */
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

/** Creates a folder with the provider `cleaning`, which has this plugin; `env` sets `SVC_PLUGINS_DIR` to the folder. */
export async function makeCleaningProvider(): Promise<Folder & { readonly env: Record<string, string> }> {
  const folders = await makeFolders({
    'plugins/cleaning/provider.json': JSON.stringify(PROVIDER),
    'plugins/cleaning/plugin.ts': PLUGIN,
  });
  return { ...folders, env: { SVC_PLUGINS_DIR: `${folders.path}/plugins` } };
}

/** The server of the provider `cleaning`. It records the connection ID in every request to remove a webhook. */
export class CleaningServer implements AsyncDisposable {
  readonly cleaned: string[] = [];
  /** The largest number of requests that were open at the same time. */
  mostAtOnce = 0;
  /** The status of the responses. */
  status = 204;
  /** The time that the server takes to respond. */
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
