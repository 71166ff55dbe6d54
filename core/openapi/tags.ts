/** What each group of operations is about. A test sees to it that none lacks a description. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Providers: 'External APIs as the catalogue describes them.',
  Integrations: 'Providers set up in an environment, with a client of your own.',
  Scripts: 'Code of yours that is run in a sandbox when something happens to a connection.',
  'Connect sessions': 'Permissions for one end user to connect, valid for 30 minutes.',
  Authorization: 'The way of a browser to the provider and back.',
  Connections: 'Accounts of end users at providers, with their credentials.',
  Environments: 'Separate worlds within an account, and the keys to them.',
  Proxy: 'Calls to external APIs with a connection’s credentials.',
  'Webhook messages': 'What the service sends to the application, retried until it is delivered.',
  Webhooks: 'What providers send, on its way to your application.',
  Logs: 'What the service did, and why it failed.',
  'User interface': 'The files of the page behind a connect link.',
  Operation: 'For those who run the service.',
};
