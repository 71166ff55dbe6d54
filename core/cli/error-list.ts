import { ERROR_STATUS, type ErrorCode } from '../errors.ts';

/** What each code means, and what its reader can do about it. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'The body is not JSON in UTF-8. The message names the position.',
  invalid_body: 'The body does not fit the endpoint. `errors` names each member and what is wrong with it.',
  invalid_query_params: 'The query does not fit the endpoint. `errors` names each parameter.',
  invalid_uri_params: 'A part of the path cannot be what it should name. `errors` names it.',
  invalid_headers: 'A header is missing, malformed or ambiguous. `errors` or the message names it.',
  connection_test_failed: 'The provider refused the new credentials, so nothing was stored. Have the user check them.',
  invalid_auth_mode: 'The integration is not connected in this way. Use the flow of its provider’s `auth_mode`.',
  integration_not_allowed: 'The connect session does not allow this integration. Create a session that does.',
  missing_client_id: 'The integration has no client ID yet. Set its credentials.',
  missing_api_url: 'The provider has no API URL, or the connection lacks a value that the URL is made of.',
  address_not_allowed: 'The address is private or not https. The operator may open it with `SVC_OUTBOUND_ALLOW`.',
  base_url_override_not_allowed:
    'The host of `Base-Url-Override` is not an allowed one. Add it to `allowed_hosts` of the integration.',
  missing_auth_header: 'There is no `Authorization` header. Send `Authorization: Bearer <key>`.',
  malformed_auth_header: 'The `Authorization` header is not `Bearer <key>`.',
  unknown_account: 'The API key is unknown or was revoked, or a session token stands where a key is due.',
  unknown_connect_session_token: 'The connect session is over, or never was. Create a new one.',
  forbidden: 'The key lacks the scope that the message names, or belongs to the other plane.',
  unknown_connection: 'There is no such connection of this integration in the key’s environment.',
  unknown_provider_config: 'There is no such integration in the key’s environment.',
  not_found: 'There is nothing at this address, or nothing of this name.',
  method_not_allowed: 'The endpoint does not take this method. `Allow` lists those it takes.',
  request_timeout: 'The request came too slowly. Send it again.',
  conflict: 'The name is taken. Choose another.',
  payload_too_large: 'The body is larger than the endpoint takes.',
  uri_too_long: 'The URL is longer than 8 KiB.',
  invalid_content_type: 'The body is not announced as `application/json` in UTF-8.',
  invalid_credentials: 'The credentials work no more and only the user can renew them. Offer a reconnect session.',
  too_many_request: 'There were too many requests. Wait as long as `Retry-After` says.',
  headers_too_large: 'There are more than 100 header fields, or more than 16 KiB of them.',
  server_error: 'The service failed. Its log tells more under the ID in `Svc-Request-Id`.',
  provider_unreachable: 'The provider did not answer the proxied call.',
  provider_unavailable: 'The token has expired and the provider cannot renew it now. Wait as long as `Retry-After` says.',
  draining: 'This instance is stopping. Send requests to another one; running ones are still answered.',
  storage_unavailable: 'The database does not answer. Wait as long as `Retry-After` says.',
  provider_timeout: 'The provider took longer than `Svc-Timeout` allows.',
};

const INTRODUCTION = `# Errors

Every error is answered as \`{"error": {"code", "message", "errors"?}}\`, each code with one status. Match on \`code\`:
messages are for people and may change. Each entry of \`errors\` is \`{"code", "message", "path"}\` and names one member that
is wrong. The header \`Svc-Request-Id\` names the request in the service’s log. \`Svc-Error\` repeats the code: an answer
below \`/proxy/\` without it is the provider’s own.

This file is written by \`npm run schema\`.
`;

/** `docs/errors.md`. */
export function describeErrors(): string {
  const byStatus = Map.groupBy(Object.entries(ERROR_STATUS), ([, status]) => status);
  const sections = [...byStatus].toSorted(([one], [other]) => one - other);
  return [INTRODUCTION, ...sections.map(([status, entries]) => `## ${status}\n\n${linesOf(entries)}\n`)].join('\n');
}

function linesOf(entries: readonly (readonly [string, number])[]): string {
  return entries.map(([code]) => `- \`${code}\`: ${meaningOf(code)}`).join('\n');
}

function meaningOf(code: string): string {
  return Object.entries(MEANINGS).find(([known]) => known === code)?.[1] ?? '';
}
