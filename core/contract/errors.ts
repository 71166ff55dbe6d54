/**
 * The only error a plugin throws on purpose; any other is a bug and results in 500 `server_error`.
 * The message is shown to the user: it must not contain secrets or a provider's response.
 */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  readonly code: 'invalid_credentials' | 'invalid_connection_config' | 'provider_unavailable';

  constructor(code: PluginError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
