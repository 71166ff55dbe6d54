import type { ModeDeps, ModeInput, Redirect } from '../../../../core/auth-modes/auth-mode.ts';
import { mcpOAuth2 } from '../../../../core/auth-modes/mcp-oauth2/index.ts';
import type { StoredMcpOAuth2 } from '../../../../core/auth-modes/mcp-oauth2/stored.ts';
import { createOutbound, type Outbound } from '../../../../core/kit/outbound.ts';
import { type FakeMcp, startFakeMcp } from '../../../support/mcp-server/fake-mcp.ts';
import { useEach } from '../../../support/use.ts';
import { modeInput, NOW, REDIRECT_URI } from '../building-blocks/token-endpoint/mode-input.ts';

export const DOCUMENT_URL = 'https://svc.example.com/oauth/client-metadata/1/mcp';

/** A fake MCP server for each test of a suite, and the flow of a connection to it. */
export class McpFlow {
  readonly server: FakeMcp;
  #outbound: Outbound | undefined;

  constructor(suite: Mocha.Suite) {
    this.server = useEach(suite, startFakeMcp);
    // Metadata and registrations are cached per outbound client, so each test gets a new client.
    suite.beforeEach(() => {
      this.#outbound = createOutbound({ allow: ['127.0.0.1/32'] });
    });
    suite.afterEach(() => this.#outbound?.[Symbol.asyncDispose]());
  }

  get deps(): ModeDeps {
    if (this.#outbound === undefined) throw new Error('it is there during a test');
    return { outbound: this.#outbound, now: () => NOW };
  }

  /** Returns a mode's input for an integration that has no app, and for a user who has entered the server's address. */
  input(changes: Partial<ModeInput> = {}): ModeInput {
    const definition = {
      auth_mode: 'MCP_OAUTH2',
      mcp_server_url: '${connectionConfig.mcp_server_url}',
      connection_config: { mcp_server_url: { type: 'string', title: 'Server', format: 'uri' } },
    } as const;
    const client = { clientId: '', clientSecret: '', scopes: [] };
    return modeInput(definition, { client, connectionConfig: { mcp_server_url: this.server.endpoint }, ...changes });
  }

  begin(
    changes: Partial<ModeInput> = {},
    clientDocumentUrl = 'https://svc.internal/oauth/client-metadata/1/mcp',
  ): Promise<Redirect> {
    if (mcpOAuth2.begin === undefined) throw new Error('it is a redirect mode');
    const start = { state: 'state-1', redirectUri: REDIRECT_URI, authorizationParams: {}, clientDocumentUrl };
    return mcpOAuth2.begin(this.deps, this.input(changes), start);
  }

  /** Completes a flow in which the user allows everything. @param brought replaces parameters of the callback */
  async complete(
    { url, secrets }: Redirect,
    brought: Readonly<Record<string, string>> = {},
    changes: Partial<ModeInput> = {},
  ): Promise<StoredMcpOAuth2> {
    if (mcpOAuth2.complete === undefined) throw new Error('it is a redirect mode');
    const response = await fetch(url, { redirect: 'manual' });
    const query = { ...Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams), ...brought };
    return (await mcpOAuth2.complete(this.deps, this.input(changes), { query, secrets })).credentials;
  }

  refresh(stored: StoredMcpOAuth2, changes: Partial<ModeInput> = {}): Promise<StoredMcpOAuth2> {
    if (mcpOAuth2.refresh === undefined) throw new Error('it can be renewed');
    return mcpOAuth2.refresh(this.deps, this.input(changes), stored);
  }

  /** The bodies of the registration requests that the server has received. */
  get registrations(): readonly Readonly<Record<string, unknown>>[] {
    return this.server.ledger.of('register').map(({ body }) => JSON.parse(body.toString('utf8')));
  }
}
