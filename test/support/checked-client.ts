import type { OpenApiDocument } from '../../core/server/openapi/model.ts';
import { type Client, client } from './http-client.ts';
import { responseChecker } from './openapi.ts';

export type CheckedClient = Client;

/**
 * Creates a client of the service that throws if a response violates the OpenAPI document. Responses of the provider that the
 * proxy passes on are not checked.
 */
export function checkedClient(
  baseUrl: string,
  { key, document }: { key: string | undefined; document: OpenApiDocument },
): CheckedClient {
  const check = responseChecker(document);
  return client(baseUrl, key, (method, url, response) => {
    const path = new URL(url).pathname;
    const isProxied = path.startsWith('/proxy/') && response.headers.get('svc-error') === null;
    if (isProxied) return;
    check({ method, path, status: response.status, contentType: response.headers.get('content-type'), body: response.body });
  });
}
