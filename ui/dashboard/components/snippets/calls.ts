/** The values that a snippet contains. */
export interface SnippetValues {
  readonly baseUrl: string;
  /** The `unique_key` of the integration. */
  readonly integration: string;
  /** The ID of the connection, which may contain anything but control characters. */
  readonly connectionId: string;
  /** The path of the proxied call. */
  readonly path: string;
}

/** A call of the public API. */
export interface Call {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** A body that the user has typed. It is sent unchanged. */
  readonly text?: string;
  /** The same call with the Node client: statements after `const svc = …`. */
  readonly client: string;
}

const USER = { end_user_id: 'user-1' };
const METADATA = { plan: 'free' };
const SCRIPT = `export default async (svc) => {
  await svc.updateMetadata({ welcomed: true });
};
`;
const code = (value: unknown) => JSON.stringify(value);

/** The calls of a typical backend, from the first connect session to the last call. A test runs each of them in every language. */
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
  integrations: () => ({
    method: 'GET',
    path: '/integrations',
    client: 'console.log(await svc.integrations.list());',
  }),
  connections: () => ({
    method: 'GET',
    path: '/connections',
    client: 'console.log(await svc.connections.list());',
  }),
  list: () => ({
    method: 'GET',
    path: '/connections?tags[end_user_id]=user-1',
    client: `const { connections } = await svc.connections.list({ tags: ${code(USER)} });
console.log(connections);`,
  }),
  read: (values) => ({
    method: 'GET',
    path: `/connections/${encodeURIComponent(values.connectionId)}?provider_config_key=${encodeURIComponent(values.integration)}`,
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
  proxy: (values) => proxied(values, { method: 'GET', headers: {} }),
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
  script({ integration }) {
    const address = { unique_key: integration, event: 'post-connection-creation' } as const;
    const body = { language: 'javascript', source: SCRIPT };
    return {
      method: 'PUT',
      path: `/integrations/${encodeURIComponent(integration)}/scripts/${address.event}`,
      body,
      client: `console.log(await svc.scripts.deploy(${code(address)}, ${code(body)}));`,
    };
  },
} as const satisfies Readonly<Record<string, (values: SnippetValues) => Call>>;

export type CallName = keyof typeof CALLS;

/** A request to the provider, as the user has composed it. Its path is in `SnippetValues`. */
interface ProxiedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined when there is none. */
  readonly body?: string | undefined;
}

/** Returns a call through the proxy. A body is sent as JSON, unless a header says otherwise. */
export function proxied(values: SnippetValues, { method, headers, body }: ProxiedRequest): Call {
  const isTyped = body === undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const sent = isTyped ? headers : { ...headers, 'Content-Type': 'application/json' };
  const hasHeaders = Object.keys(sent).length > 0;
  const options = { ...addressOf(values), ...(hasHeaders && { headers: sent }), ...(body !== undefined && { body }) };
  return {
    method,
    path: `/proxy/${values.path.replace(/^\/+/, '')}`,
    headers: {
      'Provider-Config-Key': values.integration,
      'Connection-Id': values.connectionId,
      // The prefix distinguishes these headers from those that the service itself reads.
      ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [`Svc-Proxy-${name}`, value])),
    },
    ...(body !== undefined && { text: body }),
    client: `const response = await svc.proxy.${method.toLowerCase()}(${code(values.path)}, ${code(options)});
console.log(response.status, await response.text());`,
  };
}

function addressOf({ integration, connectionId }: SnippetValues) {
  return { connection_id: connectionId, provider_config_key: integration };
}
