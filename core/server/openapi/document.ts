import { ERROR_STATUS } from '../../errors.ts';
import { isStream, type Route } from '../route.ts';
import { errorBody, errorExample, errorExampleName } from './errors.ts';
import type { OpenApiDocument, OpenApiOperation, SharedExample } from './model.ts';
import { operationsOf } from './operations.ts';
import { SchemaRegistry } from './schemas.ts';

/** The description of each group of operations. A test checks that none is missing. */
const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Providers: 'External APIs as the catalogue describes them.',
  Integrations: 'Providers configured in an environment, with your own client.',
  Scripts: 'Your code, which runs in a sandbox on events of a connection.',
  'Connect sessions': 'Tokens, valid for 30 minutes, with which one end user can connect.',
  Authorization: 'The redirect of a browser to the provider, and the callback.',
  Connections: 'Accounts of end users at providers, with their credentials.',
  Environments: 'Isolated parts of an account, with their API keys.',
  Proxy: 'Calls to external APIs with a connection’s credentials.',
  'Webhook messages': 'Webhooks to your application, retried until they are delivered.',
  Webhooks: 'Webhooks from providers, which are forwarded to your application.',
  Logs: 'What the service did, and why it failed.',
  Sandbox: 'A provider that the service itself plays, for trying things out; not for production environments.',
  'User interface': 'The window in which people connect their accounts, and the SDK that opens it.',
  Operation: 'Health, metrics and documentation, for operators.',
};

/** The version of the HTTP interface, not of the program. */
const INTERFACE_VERSION = '1.0.0';
const LOCAL_URL = 'http://localhost:3003';

/** Describes the routes as OpenAPI 3.1.0, from the same declarations that are used for routing and validation. */
export function openApiDocument<S>(routes: readonly Route<S>[], baseUrl: string): OpenApiDocument {
  const schemas = new SchemaRegistry();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const path = isStream(route) ? `${route.path}/{path}` : route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], ...operationsOf(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version: INTERFACE_VERSION,
      description:
        'Connects the users of an application to external APIs, keeps their credentials fresh and calls those APIs for it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [...new Set([baseUrl, LOCAL_URL])].map((url) => ({ url })),
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
      name,
      ...(TAG_DESCRIPTIONS[name] !== undefined && { description: TAG_DESCRIPTIONS[name] }),
    })),
    paths,
    components: {
      schemas: { ...schemas.components, Error: schemas.translate(errorBody, 'output') },
      examples: usedExamples(paths),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        connectSession: { type: 'http', scheme: 'bearer', description: 'The token of a connect session.' },
        connectSessionInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'connect_session_token',
          description: 'The token of a connect session, for navigation by a browser, which sends no headers of its own.',
        },
        publicKey: {
          type: 'apiKey',
          in: 'query',
          name: 'public_key',
          description: 'Deprecated: the public key of an environment; rejected unless the operator enables it for a migration.',
        },
      },
      headers: {
        RequestId: { description: 'The ID of the request in the log of the service.', schema: { type: 'string' } },
        RetryAfter: { description: 'How many seconds to wait before a retry, if known.', schema: { type: 'integer' } },
      },
    },
  };
}

/** Returns the error examples that the paths refer to. */
function usedExamples(paths: OpenApiDocument['paths']): Record<string, SharedExample> {
  const text = JSON.stringify(paths);
  const statuses = [...new Set(Object.values(ERROR_STATUS))];
  const used = statuses.filter((status) => text.includes(`/examples/${errorExampleName(status)}"`));
  return Object.fromEntries(used.map((status) => [errorExampleName(status), errorExample(status)]));
}
