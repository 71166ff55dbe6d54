import type { ErrorCode } from './errors.ts';

interface ErrorMeaning {
  readonly meaning: string;
  /** The action that the caller can take. */
  readonly remedy: string;
}

/** Meaning and remedy of each error code. `docs/errors.md` and the OpenAPI document are generated from this table. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  invalid_json: {
    meaning: 'The body is not valid JSON in UTF-8.',
    remedy: 'Send JSON; the message names the position of the syntax error.',
  },
  invalid_body: {
    meaning: 'The body is not what the endpoint takes: it does not match the schema, was cut short, or cannot be read.',
    remedy: 'Fix the fields listed in `errors` or named in the message.',
  },
  invalid_query_params: {
    meaning: 'The query string does not match the schema of the endpoint, or a value in it cannot be used.',
    remedy: 'Fix the parameters listed in `errors` or named in the message; unknown parameters are rejected.',
  },
  invalid_uri_params: {
    meaning: 'The path or a parameter in it is invalid.',
    remedy: 'Fix what is listed in `errors` or named in the message; percent-encode everything but letters and digits.',
  },
  invalid_headers: {
    meaning: 'A header is missing, malformed or ambiguous.',
    remedy: 'Fix the header listed in `errors` or named in the message.',
  },
  connection_test_failed: {
    meaning: 'The new credentials, or the integration’s client, were rejected or could not be verified, so nothing was stored.',
    remedy: 'The message gives the reason: ask the user to check the credentials, or check the integration.',
  },
  connection_validation_failed: {
    meaning: 'The integration’s `validate-connection` script rejected the connection or failed, so nothing was stored.',
    remedy: 'The message gives the reason; if the script failed, see its runs.',
  },
  invalid_auth_mode: {
    meaning: 'The integration’s provider uses a different auth mode, or its connections are not created in this way.',
    remedy: 'Use the endpoint or fields for the provider’s `auth_mode`.',
  },
  integration_not_allowed: {
    meaning: 'The connect session does not allow this integration.',
    remedy: 'Create a session that does.',
  },
  missing_client_id: {
    meaning: 'The integration lacks a credential or setting of its app, such as the client ID.',
    remedy: 'Set what the message names.',
  },
  missing_hmac: {
    meaning: 'The environment has an HMAC key, and the request with the public key is not signed.',
    remedy: 'Send `hmac`, or preferably use connect sessions.',
  },
  invalid_hmac: {
    meaning: 'The HMAC does not match the integration’s key and the connection ID.',
    remedy: 'Sign exactly these values with the HMAC key of the environment.',
  },
  missing_api_url: {
    meaning: 'The provider has no API URL, or the connection lacks a value that the URL needs.',
    remedy: 'Set the value named in the message; without an API URL nothing can be proxied.',
  },
  address_not_allowed: {
    meaning: 'The address is private or does not use https.',
    remedy: 'Use a public https address; the operator can allow others with `SVC_OUTBOUND_ALLOW`.',
  },
  base_url_override_not_allowed: {
    meaning: 'The host in `Base-Url-Override` is not allowed.',
    remedy: 'Add it to `allowed_hosts` of the integration.',
  },
  webhook_invalid_payload: {
    meaning: 'The delivery cannot be parsed, names several connections, or exceeds a limit.',
    remedy: 'Check that the provider’s webhook points to the right integration; see the log for details.',
  },
  missing_auth_header: {
    meaning: 'The `Authorization` header is missing.',
    remedy: 'Send `Authorization: Bearer <key>`.',
  },
  malformed_auth_header: {
    meaning: 'The `Authorization` header is not `Bearer <key>`.',
    remedy: 'Send it in that form.',
  },
  unknown_account: {
    meaning:
      'The API key, public key or metrics token is unknown, revoked or expired, or a session token was sent where a key is required.',
    remedy: 'Send a valid key.',
  },
  unknown_connect_session_token: {
    meaning: 'The connect session has ended or does not exist, or its token was not sent.',
    remedy: 'Send the token, or create a new session.',
  },
  signed_out: {
    meaning:
      'Endpoints of the dashboard need its session cookie, which is missing, or whose session has ended or awaits the second factor. API keys are not accepted there.',
    remedy: 'Sign in to the dashboard.',
  },
  invalid_login: {
    meaning: 'The e-mail, the password or the second factor is wrong, or the link has been used or has expired.',
    remedy: 'Try again, or ask an admin for a new link.',
  },
  webhook_missing_signature: {
    meaning: 'The delivery is not signed, and the integration has a secret or accepts signed deliveries only.',
    remedy: 'Configure the provider to sign with the integration’s secret.',
  },
  webhook_invalid_signature: {
    meaning:
      'The delivery’s signature is wrong or too old, the integration has no secret to verify it with, or the webhook URL is not one that this service created.',
    remedy:
      'Set the same secret here and at the provider, register the URL that the integration shows, and do not modify the body in transit.',
  },
  deprecated_authentication: {
    meaning: 'Public keys are no longer accepted here.',
    remedy: 'Create a connect session on your server and send its token.',
  },
  forbidden: {
    meaning:
      'The key lacks the scope named in the message, or is an environment key where an account key is required (or the reverse); or a setting, or the caller’s page, environment or role, does not permit the request.',
    remedy: 'Use a key that has the scope, or change what the message names.',
  },
  password_needed: {
    meaning:
      'Showing or changing this needs a fresh confirmation with the password, the second factor or a new sign-in at the identity provider.',
    remedy:
      'Use the second factor if you have one, else the password, else sign in again; the confirmation is valid for ten minutes.',
  },
  factor_needed: {
    meaning: 'This member of the dashboard needs a second factor (`SVC_REQUIRE_MFA`) and has none.',
    remedy: 'Sign in to the dashboard and set up an authenticator app or a passkey.',
  },
  unknown_connection: {
    meaning: 'This integration has no such connection in the key’s environment.',
    remedy: 'Check both IDs, and that the key belongs to the right environment.',
  },
  unknown_provider_config: {
    meaning: 'There is no such integration in the key’s environment.',
    remedy: 'Check the integration’s key, and that the API key belongs to the right environment.',
  },
  not_found: {
    meaning: 'The path or the named resource does not exist.',
    remedy: 'Check the path and the name.',
  },
  method_not_allowed: {
    meaning: 'The endpoint does not support this method.',
    remedy: 'Use a method listed in the `Allow` header.',
  },
  request_timeout: {
    meaning: 'The request arrived too slowly.',
    remedy: 'Send it again.',
  },
  conflict: {
    meaning: 'The request conflicts with the present state, such as a name that is in use; the message says with what.',
    remedy: 'Do what the message says, such as choosing another name.',
  },
  idempotency_mismatch: {
    meaning: 'The `Idempotency-Key` was used for a different request within the last 24 hours.',
    remedy: 'Use a new key for each request, and retry a request unchanged.',
  },
  wrong_account: {
    meaning: 'The user reauthorized a connection with another account at the provider; nothing was changed.',
    remedy: 'Ask the user to choose the same account; or create the session with `allow_account_change`.',
  },
  payload_too_large: {
    meaning: 'The body exceeds the limit of the endpoint, or does not state its length where it has to.',
    remedy: 'Send less, or split it into several requests; send `Content-Length` with a form.',
  },
  uri_too_long: {
    meaning: 'The URL is longer than 16 KiB.',
    remedy: 'Shorten the query string.',
  },
  invalid_content_type: {
    meaning: 'The endpoint does not take this `Content-Type` or `Content-Encoding`; most take `application/json` in UTF-8 only.',
    remedy: 'Send the type and encoding that the message names.',
  },
  invalid_credentials: {
    meaning: 'The credentials no longer work or cannot be used, and only the user can replace them.',
    remedy: 'Offer the user a reconnect session.',
  },
  too_many_request: {
    meaning: 'Too many requests.',
    remedy: 'Wait for the time in `Retry-After`, or end what the message names.',
  },
  headers_too_large: {
    meaning: 'There are more than 100 header fields, or they exceed 32 KiB in total.',
    remedy: 'Send fewer or shorter ones.',
  },
  server_error: {
    meaning: 'The service failed.',
    remedy: 'Search the service’s log for the ID in `Svc-Request-Id`.',
  },
  provider_unreachable: {
    meaning: 'The provider could not be reached, or its response to the proxied call was unusable or interrupted.',
    remedy: 'Try again later; set `Retries` if the call is safe to repeat.',
  },
  provider_unavailable: {
    meaning:
      'The expired token cannot be refreshed, or the signature or credentials cannot be verified, at the moment: the provider gave no usable response, or could not be called.',
    remedy:
      'Wait for the time in `Retry-After`. If it lasts, see the log: the provider may refuse the integration’s client ID or secret.',
  },
  draining: {
    meaning: 'This instance is shutting down; requests in progress are still completed.',
    remedy: 'Send the request to another instance.',
  },
  overloaded: {
    meaning: 'More bodies are arriving than this instance has memory for, or more passwords than it can check.',
    remedy: 'Retry after the time in `Retry-After`.',
  },
  storage_unavailable: {
    meaning:
      'The database does not respond in time, or other requests are changing the same thing. The message says so where a change may have been stored nevertheless.',
    remedy: 'Wait for the time in `Retry-After`, if there is one, then try again.',
  },
  storage_full: {
    meaning: 'The disk of the database is full. Nothing was stored.',
    remedy: 'Free space on the disk. The service then continues by itself.',
  },
  provider_timeout: {
    meaning: 'The provider did not respond in time, which `Svc-Timeout` sets for proxied calls.',
    remedy: 'Allow more seconds, but fewer than your own callers wait.',
  },
};

/** Returns meaning and remedy of a code; undefined if it is none of the service. */
export function meaningOf(code: string): ErrorMeaning | undefined {
  return Object.entries(ERROR_MEANINGS).find(([known]) => known === code)?.[1];
}
