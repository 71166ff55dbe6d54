import type { ErrorCode } from './errors.ts';

interface ErrorMeaning {
  readonly meaning: string;
  /** What the one who gets it can do. */
  readonly remedy: string;
}

/** For people: one sentence each. `docs/errors.md` and the OpenAPI document are made of it. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  invalid_json: {
    meaning: 'The body is not JSON in UTF-8.',
    remedy: 'Send JSON; the message names the position of the fault.',
  },
  invalid_body: {
    meaning: 'The body does not fit the endpoint.',
    remedy: 'Mend the members that `errors` or the message names.',
  },
  invalid_query_params: {
    meaning: 'The query does not fit the endpoint.',
    remedy: 'Mend the parameters that `errors` names; unknown ones are refused.',
  },
  invalid_uri_params: {
    meaning: 'A part of the path cannot be what it should name.',
    remedy: 'Mend the part that `errors` names; percent-encode what is not a letter or digit.',
  },
  invalid_headers: {
    meaning: 'A header is missing, malformed or ambiguous.',
    remedy: 'Mend the header that `errors` or the message names.',
  },
  connection_test_failed: {
    meaning: 'The provider refused the new credentials, so nothing was stored.',
    remedy: 'Have the user check them.',
  },
  connection_validation_failed: {
    meaning: 'The integration’s script `validate-connection` refused the connection or failed, so nothing was stored.',
    remedy: 'The message says why; after a failed script see its runs.',
  },
  invalid_auth_mode: {
    meaning: 'The integration is not connected in this way.',
    remedy: 'Use the way of its provider’s `auth_mode`.',
  },
  integration_not_allowed: {
    meaning: 'The connect session does not allow this integration.',
    remedy: 'Create a session that does.',
  },
  missing_client_id: {
    meaning: 'The integration has no client ID yet.',
    remedy: 'Set its credentials.',
  },
  missing_hmac: {
    meaning: 'The environment has an HMAC key, and the request with the public key is not signed.',
    remedy: 'Send `hmac`, or better use connect sessions.',
  },
  invalid_hmac: {
    meaning: 'The signature is not that of the integration’s key and the connection ID.',
    remedy: 'Sign what the request asks for with the HMAC key of the environment.',
  },
  missing_api_url: {
    meaning: 'The provider has no API URL, or the connection lacks a value that the URL is made of.',
    remedy: 'Set the value that the message names; without an API URL nothing can be proxied.',
  },
  address_not_allowed: {
    meaning: 'The address is private or not https.',
    remedy: 'Use a public one; the operator may open others with `SVC_OUTBOUND_ALLOW`.',
  },
  base_url_override_not_allowed: {
    meaning: 'The host of `Base-Url-Override` is not an allowed one.',
    remedy: 'Add it to `allowed_hosts` of the integration.',
  },
  webhook_invalid_payload: {
    meaning: 'The delivery cannot be read: not what this provider sends.',
    remedy: 'Check that the provider’s webhook leads to the right integration; the log says more.',
  },
  missing_auth_header: {
    meaning: 'There is no `Authorization` header.',
    remedy: 'Send `Authorization: Bearer <key>`.',
  },
  malformed_auth_header: {
    meaning: 'The `Authorization` header is not `Bearer <key>`.',
    remedy: 'Send it in that form.',
  },
  unknown_account: {
    meaning: 'The API key is unknown or was revoked, or a session token stands where a key is due.',
    remedy: 'Send a key that is in force.',
  },
  unknown_connect_session_token: {
    meaning: 'The connect session is over, or never was.',
    remedy: 'Create a new one.',
  },
  webhook_missing_signature: {
    meaning: 'The delivery is not signed, and the integration has a secret or takes signed deliveries only.',
    remedy: 'Have the provider sign with the secret that the integration has.',
  },
  webhook_invalid_signature: {
    meaning: 'The delivery’s signature is wrong or too old, or the integration has no secret to verify it with.',
    remedy: 'Set the same secret here and at the provider; send the body unchanged.',
  },
  deprecated_authentication: {
    meaning: 'Public keys are not accepted here any more.',
    remedy: 'Create a connect session on your server and send its token.',
  },
  forbidden: {
    meaning: 'The key lacks the scope that the message names, or is of the other plane (environment, account).',
    remedy: 'Use a key that has it.',
  },
  unknown_connection: {
    meaning: 'There is no such connection of this integration in the key’s environment.',
    remedy: 'Check both IDs, and that the key is of the right environment.',
  },
  unknown_provider_config: {
    meaning: 'There is no such integration in the key’s environment.',
    remedy: 'Check its key, and that the API key is of the right environment.',
  },
  not_found: {
    meaning: 'There is nothing at this address, or nothing of this name.',
    remedy: 'Check the address and the name.',
  },
  method_not_allowed: {
    meaning: 'The endpoint does not take this method.',
    remedy: 'Use one of those that the header `Allow` lists.',
  },
  request_timeout: {
    meaning: 'The request came too slowly.',
    remedy: 'Send it again.',
  },
  conflict: {
    meaning: 'The name is taken.',
    remedy: 'Choose another.',
  },
  idempotency_mismatch: {
    meaning: 'The `Idempotency-Key` was used within a day for another request.',
    remedy: 'Take a new key for each request, and repeat a request unchanged.',
  },
  payload_too_large: {
    meaning: 'The body is larger than the endpoint takes.',
    remedy: 'Send less, or in several requests.',
  },
  uri_too_long: {
    meaning: 'The URL is longer than 16 KiB.',
    remedy: 'Send less in the query.',
  },
  invalid_content_type: {
    meaning: 'The body is not announced as `application/json` in UTF-8.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  invalid_credentials: {
    meaning: 'The credentials work no more, and only the user can renew them.',
    remedy: 'Offer the user a reconnect session.',
  },
  too_many_request: {
    meaning: 'There were too many requests.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  headers_too_large: {
    meaning: 'There are more than 100 header fields, or the head is larger than 32 KiB.',
    remedy: 'Send fewer or shorter ones.',
  },
  server_error: {
    meaning: 'The service failed.',
    remedy: 'Look into its log for the ID in `Svc-Request-Id`.',
  },
  provider_unreachable: {
    meaning: 'The provider did not answer the proxied call.',
    remedy: 'Try again later; ask for `Retries` if the call may be repeated.',
  },
  provider_unavailable: {
    meaning: 'The provider does not answer: the expired token cannot be renewed now, or the signature not be verified.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  draining: {
    meaning: 'This instance is stopping; running requests are still answered.',
    remedy: 'Send the request to another instance.',
  },
  overloaded: {
    meaning: 'More large bodies are arriving than this instance has memory for, and this one waited in vain.',
    remedy: 'Send the request again after `Retry-After`.',
  },
  storage_unavailable: {
    meaning: 'The database does not answer.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  provider_timeout: {
    meaning: 'The provider took longer than `Svc-Timeout` allows.',
    remedy: 'Allow more seconds, up to what your own callers wait for.',
  },
};
