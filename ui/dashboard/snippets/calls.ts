/** What a snippet is filled with. */
export interface SnippetValues {
  readonly baseUrl: string;
  /** Its `unique_key`. */
  readonly integration: string;
  /** Anything but control characters. */
  readonly connectionId: string;
  /** Of the proxied call. */
  readonly path: string;
}

/** A call of the public API. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The same with the Node client: statements after `const svc = …`. */
  readonly client: string;
}

const USER = { end_user_id: 'user-1' };
const METADATA = { plan: 'free' };
const code = (value: unknown) => JSON.stringify(value);

/** What a backend does, from the first session to the last call. A test runs each in every language. */
export const CALLS = {
  session({ integration }) {
    const body = { tags: USER, allowed_integrations: [integration] };
    return {
      method: 'POST',
      path: '/connect/sessions',
      body,
      client: `const { data } = await svc.connectSessions.create(${code(body)});
console.log(data.token, data.connect_link);`,
    };
  },
  list: () => ({
    method: 'GET',
    path: '/connections?tags[end_user_id]=user-1',
    client: `const { connections } = await svc.connections.list({ tags: ${code(USER)} });
console.log(connections);`,
  }),
  read: (values) => ({
    method: 'GET',
    path: `/connections/${encodeURIComponent(values.connectionId)}?provider_config_key=${values.integration}`,
    client: `const connection = await svc.connections.get(${code(addressOf(values))});
console.log(connection.credentials);`,
  }),
  import({ integration }) {
    const body = { provider_config_key: integration, credentials: { type: 'OAUTH2', access_token: 'its-token' }, tags: USER };
    return {
      method: 'POST',
      path: '/connections',
      body,
      client: `console.log(await svc.connections.import(${code(body)}));`,
    };
  },
  proxy: (values) => ({
    method: 'GET',
    path: `/proxy${values.path}`,
    headers: { 'Provider-Config-Key': values.integration, 'Connection-Id': values.connectionId },
    client: `const response = await svc.proxy.get('${values.path}', ${code(addressOf(values))});
console.log(response.status, await response.text());`,
  }),
  reconnect({ integration, connectionId }) {
    const body = { connection_id: connectionId, integration_id: integration };
    return {
      method: 'POST',
      path: '/connect/sessions/reconnect',
      body,
      client: `const { data } = await svc.connectSessions.reconnect(${code(body)});
console.log(data.connect_link);`,
    };
  },
  metadata(values) {
    const body = { ...addressOf(values), metadata: METADATA };
    return {
      method: 'PATCH',
      path: '/connections/metadata',
      body,
      client: `console.log(await svc.connections.updateMetadata(${code(body)}));`,
    };
  },
} as const satisfies Readonly<Record<string, (values: SnippetValues) => Call>>;

export type CallName = keyof typeof CALLS;

function addressOf({ integration, connectionId }: SnippetValues) {
  return { connection_id: connectionId, provider_config_key: integration };
}
