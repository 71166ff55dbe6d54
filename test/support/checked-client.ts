import type { OpenApiDocument } from '../../core/openapi/model.ts';
import { type Client, client } from './http-client.ts';
import { answerChecker } from './openapi.ts';

export type CheckedClient = Client;

/** A client that throws when an answer is not as the OpenAPI document says. What the proxy passes on is the provider's. */
export function checkedClient(
  baseUrl: string,
  { key, document }: { key: string | undefined; document: OpenApiDocument },
): CheckedClient {
  const check = answerChecker(document);
  return client(baseUrl, key, (method, url, answer) => {
    const path = new URL(url).pathname;
    const isPassedOn = path.startsWith('/proxy/') && answer.headers.get('svc-error') === null;
    if (isPassedOn) return;
    check({ method, path, status: answer.status, contentType: answer.headers.get('content-type'), body: answer.body });
  });
}
