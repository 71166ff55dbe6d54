import type { ComponentType } from 'preact';
import type { Pattern } from './router.ts';

/** A page. It is loaded together with its group when a user first goes to one of the group's pages. */
export interface PageRoute extends Pattern {
  readonly load: () => Promise<ComponentType>;
  /** True for a page without the shell, which needs no sign-in. */
  readonly isOpen?: true;
}

type Group<N extends string> = () => Promise<Readonly<Record<N, ComponentType>>>;

const account: Group<'Audit' | 'Environments' | 'Instance' | 'Keys' | 'Members' | 'Security' | 'Sessions'> = () =>
  import('../pages/account/pages.ts');
const connection: Group<'Connection'> = () => import('../pages/connection/pages.ts');
const connections: Group<'AddConnection' | 'Connections'> = () => import('../pages/connections/pages.ts');
const entry: Group<'Enrol' | 'Join' | 'SecondStep' | 'Setup' | 'SignIn'> = () => import('../pages/entry/pages.ts');
const home: Group<'Beginning' | 'Home'> = () => import('../pages/home/pages.ts');
const integrations: Group<'Catalogue' | 'Configure' | 'Integration' | 'Integrations'> = () =>
  import('../pages/integrations/pages.ts');
const logs: Group<'Logs' | 'Operation'> = () => import('../pages/logs/pages.ts');
const scripts: Group<'NewScript' | 'Script' | 'Scripts'> = () => import('../pages/scripts/pages.ts');
const settings: Group<'Callback' | 'ConnectUi' | 'General' | 'Keys' | 'Variables'> = () => import('../pages/settings/pages.ts');
const start: Group<'QuickStart'> = () => import('../pages/start/pages.ts');
const webhooks: Group<'Endpoints' | 'Inbox' | 'Moved' | 'Received' | 'Sent' | 'SentWebhook'> = () =>
  import('../pages/webhooks/pages.ts');

/** All pages, one per line: the path below the base URL, the group, and the name in that group. The first match is shown. */
export const ROUTES: readonly PageRoute[] = [
  { path: 'setup', load: async () => (await entry()).Setup, isOpen: true },
  { path: 'login', load: async () => (await entry()).SignIn, isOpen: true },
  { path: 'login/factor', load: async () => (await entry()).SecondStep, isOpen: true },
  { path: 'login/enrol', load: async () => (await entry()).Enrol, isOpen: true },
  { path: 'join', load: async () => (await entry()).Join, isOpen: true },
  { path: 'e/:env/connections', load: async () => (await connections()).Connections },
  { path: 'e/:env/connections/new', load: async () => (await connections()).AddConnection },
  { path: 'e/:env/connections/:integration/:id', load: async () => (await connection()).Connection },
  { path: 'e/:env/connections/:integration/:id/:tab', load: async () => (await connection()).Connection },
  { path: 'e/:env', load: async () => (await home()).Beginning },
  { path: 'e/:env/home', load: async () => (await home()).Home },
  { path: 'e/:env/integrations', load: async () => (await integrations()).Integrations },
  { path: 'e/:env/integrations/new', load: async () => (await integrations()).Catalogue },
  { path: 'e/:env/integrations/new/:provider', load: async () => (await integrations()).Configure },
  { path: 'e/:env/integrations/:key/:tab', load: async () => (await integrations()).Integration },
  { path: 'e/:env/logs', load: async () => (await logs()).Logs },
  { path: 'e/:env/logs/:id', load: async () => (await logs()).Operation },
  { path: 'e/:env/scripts', load: async () => (await scripts()).Scripts },
  { path: 'e/:env/scripts/new', load: async () => (await scripts()).NewScript },
  { path: 'e/:env/scripts/:key/:event', load: async () => (await scripts()).Script },
  { path: 'e/:env/settings', load: async () => (await settings()).General },
  { path: 'e/:env/settings/callback', load: async () => (await settings()).Callback },
  { path: 'e/:env/settings/connect-ui', load: async () => (await settings()).ConnectUi },
  { path: 'e/:env/settings/keys', load: async () => (await settings()).Keys },
  { path: 'e/:env/settings/variables', load: async () => (await settings()).Variables },
  { path: 'e/:env/settings/webhooks', load: async () => (await webhooks()).Moved },
  { path: 'e/:env/start', load: async () => (await start()).QuickStart },
  { path: 'e/:env/start/inbox', load: async () => (await webhooks()).Moved },
  { path: 'e/:env/webhooks', load: async () => (await webhooks()).Moved },
  { path: 'e/:env/webhooks/endpoints', load: async () => (await webhooks()).Endpoints },
  { path: 'e/:env/webhooks/inbox', load: async () => (await webhooks()).Inbox },
  { path: 'e/:env/webhooks/received', load: async () => (await webhooks()).Received },
  { path: 'e/:env/webhooks/sent', load: async () => (await webhooks()).Sent },
  { path: 'e/:env/webhooks/sent/:id', load: async () => (await webhooks()).SentWebhook },
  { path: 'account/audit', load: async () => (await account()).Audit },
  { path: 'account/environments', load: async () => (await account()).Environments },
  { path: 'account/instance', load: async () => (await account()).Instance },
  { path: 'account/keys', load: async () => (await account()).Keys },
  { path: 'account/members', load: async () => (await account()).Members },
  { path: 'account/security', load: async () => (await account()).Security },
  { path: 'account/sessions', load: async () => (await account()).Sessions },
];
