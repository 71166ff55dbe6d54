import { startOf } from '../app/navigation.ts';
import type { Environment, Me, Role } from '../app/replies.ts';
import { pathOf } from '../app/router.ts';
import type { IconName } from '../components/icon.tsx';
import type { Result } from './results.ts';
import { t, type texts } from './texts.ts';

interface Target {
  readonly text: keyof typeof texts;
  /** The path below that of the environment, or below the service's. */
  readonly path: string;
  readonly icon: IconName;
  /** The role that it needs. Default: any. */
  readonly role?: Role;
  /** True for a page that environments of production do not have. */
  readonly isForTests?: true;
}

/** The pages of an environment. */
const PAGES: readonly Target[] = [
  { text: 'page_home', path: 'home', icon: 'home' },
  { text: 'page_integrations', path: 'integrations', icon: 'grid' },
  { text: 'page_connections', path: 'connections', icon: 'plug' },
  { text: 'page_logs', path: 'logs', icon: 'log' },
  { text: 'page_sent', path: 'webhooks/sent', icon: 'send' },
  { text: 'page_received', path: 'webhooks/received', icon: 'send' },
  { text: 'page_endpoints', path: 'webhooks/endpoints', icon: 'send' },
  { text: 'page_inbox', path: 'webhooks/inbox', icon: 'send', isForTests: true },
  { text: 'page_scripts', path: 'scripts', icon: 'code' },
  { text: 'page_general', path: 'settings', icon: 'gear' },
  { text: 'page_keys', path: 'settings/keys', icon: 'key' },
  { text: 'page_callback', path: 'settings/callback', icon: 'gear' },
  { text: 'page_connect_ui', path: 'settings/connect-ui', icon: 'gear' },
  { text: 'page_variables', path: 'settings/variables', icon: 'gear' },
  { text: 'page_start', path: 'start', icon: 'play' },
];

const ACCOUNT_PAGES: readonly Target[] = [
  { text: 'page_sessions', path: 'account/sessions', icon: 'person' },
  { text: 'page_security', path: 'account/security', icon: 'person' },
  { text: 'page_members', path: 'account/members', icon: 'person', role: 'admin' },
  { text: 'page_environments', path: 'account/environments', icon: 'gear', role: 'admin' },
  { text: 'page_account_keys', path: 'account/keys', icon: 'key', role: 'admin' },
  { text: 'page_audit', path: 'account/audit', icon: 'lines', role: 'admin' },
  { text: 'page_instance', path: 'account/instance', icon: 'about', role: 'admin' },
];

/** What can be begun in an environment. */
const ACTIONS: readonly Target[] = [
  { text: 'add_connection', path: 'connections/new', icon: 'plus', role: 'developer' },
  { text: 'import_connection', path: 'connections/new?way=import', icon: 'plus', role: 'developer' },
  { text: 'add_integration', path: 'integrations/new', icon: 'plus', role: 'developer' },
  { text: 'add_script', path: 'scripts/new', icon: 'plus', role: 'developer' },
];

interface Visitor {
  readonly me: Pick<Me, 'environments'>;
  readonly environment: Environment;
  readonly may: (role: Role) => boolean;
}

/** Returns the pages whose names have a word for each term, and the other environments. */
export function pageResults({ me, environment, may }: Visitor, terms: readonly string[]): readonly Result[] {
  const own = PAGES.filter(({ isForTests }) => !(isForTests && environment.is_production));
  const others = me.environments.filter(({ name }) => name !== environment.name);
  const all = [
    ...own.map((target) => resultOf(target, `${pathOf(['e', environment.name])}/`)),
    ...ACCOUNT_PAGES.filter(({ role = 'viewer' }) => may(role)).map((target) => resultOf(target, '')),
    ...others.map(({ name }): Result => {
      return { key: `environment ${name}`, name: t('environment', { name }), face: { icon: 'gear' }, href: startOf(name) };
    }),
  ];
  return all.filter(({ name }) => isNamed(name, terms));
}

/** Returns what can be begun in an environment, of which the names have a word for each term. */
export function actionResults({ environment, may }: Visitor, terms: readonly string[]): readonly Result[] {
  return ACTIONS.filter(({ role = 'viewer' }) => may(role))
    .map((target) => resultOf(target, `${pathOf(['e', environment.name])}/`))
    .filter(({ name }) => isNamed(name, terms));
}

function resultOf({ text, path, icon }: Target, below: string): Result {
  return { key: text, name: t(text), face: { icon }, href: `${below}${path}` };
}

function isNamed(name: string, terms: readonly string[]): boolean {
  const words = name.toLowerCase().split(/[\s:,]+/);
  return terms.every((term) => words.some((word) => word.startsWith(term)));
}
