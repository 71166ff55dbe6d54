import { fill } from '../../../../core/kit/language.ts';
import type { operations } from '../../app/api-types.ts';
import type { Reply } from '../../app/replies.ts';
import { actorOf } from '../../components/history/actors.ts';
import { capitalized } from '../../components/sentence.ts';

export type Entry = Reply<'listAuditEntries'>['data'][number];
type Action = NonNullable<NonNullable<operations['listAuditEntries']['parameters']['query']>['action']>;

interface Words {
  /** The action in the filter. */
  readonly label: string;
  /** What the actor did. `{name}` is the subject; other placeholders are facts of the entry. */
  readonly did: string;
  /** What a member did to their own membership, if that is said in other words. */
  readonly own?: string;
}

/** The words for all recorded actions. A missing or unknown one does not compile. */
export const WORDS: Readonly<Record<Action, Words>> = {
  'account.create': { label: 'Account created', did: 'created the account {name}' },
  'api_key.create': { label: 'API key created', did: 'created the API key {name}' },
  'api_key.revoke': { label: 'API key revoked', did: 'revoked the API key {name}' },
  'audit.anchor': { label: 'Audit trail anchored', did: 'accepted the audit trail as it was' },
  'audit.export': { label: 'Audit trail exported', did: 'exported the audit trail' },
  'backup.create': { label: 'Backup made', did: 'made a backup of the database' },
  'backup.restore': { label: 'Backup restored', did: 'restored the database from a backup' },
  'connection.delete': { label: 'Connection deleted', did: 'deleted the connection {name} of {integration}' },
  'connection.import': { label: 'Connection imported', did: 'imported the connection {name} of {integration}' },
  'connection.reconnect_link': {
    label: 'Reconnect link created',
    did: 'created a link to reconnect {name} of {integration}',
  },
  'connection.reveal': { label: 'Credentials read', did: 'read the credentials of the connection {name} of {integration}' },
  'connection.update': {
    label: 'Connection changed',
    did: 'changed the webhook URL of the connection {name} of {integration}',
  },
  'encryption_keys.rotate': { label: 'Encryption key rotated', did: 'rotated the encryption key' },
  'environment.create': { label: 'Environment created', did: 'created the environment {name}' },
  'environment.delete': { label: 'Environment deleted', did: 'deleted the environment {name}' },
  'environment.export': { label: 'Environment exported', did: 'exported the environment {name}' },
  'environment.import': { label: 'Environment imported', did: 'imported data into the environment {name}' },
  'environment.update': { label: 'Environment changed', did: 'changed the settings of the environment {name}' },
  'integration.create': { label: 'Integration added', did: 'added the integration {name}' },
  'integration.delete': { label: 'Integration deleted', did: 'deleted the integration {name}' },
  'integration.update': { label: 'Integration changed', did: 'changed the integration {name}' },
  'member.factor_add': { label: 'Second factor added', did: 'added a second factor' },
  'member.factor_remove': { label: 'Second factor removed', did: 'removed a second factor' },
  'member.factor_reset': { label: 'Second factors reset', did: 'reset the second factors of {name}' },
  'member.invite': { label: 'Member invited', did: 'invited {name} as {role}' },
  'member.join': { label: 'Member joined', did: 'made {name} a member', own: 'became a member' },
  'member.password_change': { label: 'Password changed', did: 'changed the password' },
  'member.password_link': { label: 'Password link created', did: 'created a link for a new password of {name}' },
  'member.recovery_code_use': { label: 'Recovery code used', did: 'used a recovery code' },
  'member.recovery_codes': { label: 'Recovery codes created', did: 'created new recovery codes' },
  'member.remove': { label: 'Member removed', did: 'removed the member {name}' },
  'member.setup_link': { label: 'Setup link created', did: 'created a link to set up the first admin' },
  'member.sign_in': { label: 'Signed in', did: 'signed in' },
  'member.sign_out': { label: 'Signed out', did: 'signed out' },
  'member.uninvite': { label: 'Invitation withdrawn', did: 'withdrew the invitation of {name}' },
  'member.update': { label: 'Role changed', did: 'changed the role of {name} to {role}', own: 'became {role}' },
  'script.delete': { label: 'Script deleted', did: 'deleted the script {name} of {integration}' },
  'script.deploy': { label: 'Script deployed', did: 'deployed version {version} of the script {name} of {integration}' },
  'script.test': { label: 'Script tested', did: 'tested version {version} of the script {name} of {integration}' },
  'script.update': { label: 'Script changed', did: 'changed the script {name} of {integration}' },
  'webhook_secret.reveal': { label: 'Signing key read', did: 'read the signing key of webhooks of {name}' },
  'webhook_secret.rotate': { label: 'Signing key rotated', did: 'rotated the signing key of webhooks of {name}' },
};

/** Facts whose own names say less. */
const FACT_NAMES: Readonly<Record<string, string>> = { given: 'fields', changed: 'fields' };
/** Maximum number of shown items of a list; a file contains all. */
const MAX_ITEMS = 5;

export const ACTIONS = Object.entries(WORDS).map(([value, { label }]) => ({ value, label }));

/** Returns who did it, as the beginning of a sentence. Names of members are shown as they are. */
export function whoOf(entry: Entry): string {
  return entry.actor.kind === 'member' ? actorOf(entry) : capitalized(actorOf(entry));
}

/** Returns what was done: "deleted the connection conn_1 of notes". */
export function didOf(entry: Entry): string {
  const { subject, facts } = entry;
  const known = Object.entries(facts).map(([name, value]) => [name, valueText(value)]);
  const unknown = { integration: '–', role: '–', version: '–' };
  return fill(templateOf(entry), {
    ...unknown,
    ...Object.fromEntries(known),
    name: subject.name ?? subject.id ?? subject.type,
  });
}

/** Returns the facts that the sentence does not contain: "fields: display_name". */
export function factsOf(entry: Entry): string {
  const template = templateOf(entry);
  return Object.entries(entry.facts)
    .filter(([name, value]) => isKnown(value) && (name === 'name' || !template.includes(`{${name}}`)))
    .map(([name, value]) => `${FACT_NAMES[name] ?? name.replaceAll('_', ' ')}: ${valueText(value)}`)
    .join(' · ');
}

/** Returns the template of a sentence; for an action of a newer service, its name. */
function templateOf({ action, actor, subject }: Entry): string {
  if (!isAction(action)) return `${action} {name}`;
  const { did, own } = WORDS[action];
  const isOwn = subject.type === 'member' && actor.kind === 'member' && actor.id === subject.id;
  return (isOwn && own) || did;
}

function isAction(action: string): action is Action {
  return Object.hasOwn(WORDS, action);
}

function isKnown(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    const more = value.length - MAX_ITEMS;
    return value.slice(0, MAX_ITEMS).map(valueText).join(', ') + (more > 0 ? ` and ${more} more` : '');
  }
  return JSON.stringify(value);
}
