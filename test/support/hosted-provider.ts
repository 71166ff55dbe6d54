/** The definition of a provider that each end user hosts on a server of their own. */
export const HOSTED = {
  display_name: 'Hosted',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${connectionConfig.server}/authorize',
  token_url: '${connectionConfig.server}/token',
  connection_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
};
