/** What each group of operations is about. A test checks that none is missing. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Providers: 'External APIs as the catalogue describes them.',
  Integrations: 'Providers set up in an environment, with a client of your own.',
  Scripts: 'Your code, which is run in a sandbox on events of a connection.',
  'Connect sessions': 'Tokens with which one end user may connect, valid for 30 minutes.',
  Authorization: 'The redirect of a browser to the provider, and the callback.',
  Connections: 'Accounts of end users at providers, with their credentials.',
  Environments: 'Isolated parts of an account, with their API keys.',
  Proxy: 'Calls to external APIs with a connection’s credentials.',
  'Webhook messages': 'Webhooks to your application, retried until they are delivered.',
  Webhooks: 'Webhooks from providers, which are forwarded to your application.',
  Logs: 'What the service did, and why it failed.',
  Sandbox: 'A provider that the service plays, to try everything out; not for production environments.',
  'User interface': 'The window in which people connect their accounts, and the SDK that opens it.',
  Operation: 'Health, metrics and documentation, for operators.',
};
