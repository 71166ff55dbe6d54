/** The guide of each page, by the first one or two parts of its path in an environment, or of its whole path. */
const GUIDES: Readonly<Record<string, string>> = {
  start: 'start-here',
  home: 'dashboard',
  integrations: 'first-provider',
  connections: 'dashboard#a-connection',
  'connections/new': 'dashboard#adding-a-connection',
  logs: 'proxy#find-why-a-call-failed',
  scripts: 'scripts',
  webhooks: 'webhooks',
  'webhooks/received': 'webhooks#set-up-a-providers-webhooks',
  'webhooks/sent': 'webhooks#see-what-was-sent',
  settings: 'dashboard#settings-of-an-environment',
  'settings/connect-ui': 'frontend',
  'settings/keys': 'scopes',
  'account/audit': 'audit',
  'account/environments': 'dashboard#settings-of-an-environment',
  'account/instance': 'operating',
  'account/keys': 'scopes',
  'account/members': 'dashboard#roles',
  'account/security': 'dashboard#a-second-factor',
  'account/sessions': 'dashboard#sessions',
};

/** Returns the address of the guide for a page, relative to the base of the pages. @param path the path of the page */
export function guideOf(path: string): string {
  const [part = '', ...rest] = path.replace(/^e\/[^/]+\//, '').split('/');
  const guide = GUIDES[`${part}/${rest[0]}`] ?? GUIDES[part];
  return guide === undefined ? 'docs' : `docs/${guide}`;
}
