/**
 * The only error a plugin throws on purpose; any other is a bug and is answered with 500 `server_error`.
 * The message is shown to the user: never put a secret or a provider's answer in it.
 */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  readonly code: 'invalid_credentials' | 'invalid_connection_config' | 'provider_unavailable';

  constructor(code: PluginError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
