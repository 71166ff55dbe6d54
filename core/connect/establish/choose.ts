import { type JsonObject, PluginError, type ProviderDefinition, textAt, valueAt } from '#contract';
import { ServiceError } from '../../errors.ts';
import { ChoiceNeeded, type ChoiceOption, type ConnectionPlan } from './connection-plan.ts';

type Discovery = NonNullable<ProviderDefinition['discover']>[number];
type Rule = NonNullable<Discovery['choose']>;

const MAX_ENTRIES = 1_000;
const MAX_TEXT = 255;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

interface Entry extends ChoiceOption {
  readonly content: unknown;
}

/**
 * Picks, from the entries that the provider lists (such as sites or workspaces), the one that the connection is for: the one that
 * the user or the session chose, else the one that the connection's configuration names, else the one that the connection already
 * has. If none of these applies, it is the first, unless there are several and the user can be asked.
 *
 * @throws ChoiceNeeded in that case; ServiceError `connection_test_failed` if the chosen entry is not listed, or nothing is
 */
export function chooseEntry(plan: ConnectionPlan, response: unknown, { choose, values }: Discovery & { choose: Rule }): unknown {
  const entries = entriesOf(response, choose);
  const { choice, input, existing, fixedConfig } = plan;
  const named = choose.field === undefined ? undefined : input.connectionConfig[choose.field];
  if (choice?.id !== undefined) return known(entries.find(({ id }) => id === choice.id)).content;
  if (typeof named === 'string' && named !== '') return known(entryNamed(entries, values, named)).content;
  const [first, second] = entries;
  if (first === undefined) throw refusal('this account has access to nothing that could be connected');
  const rule = { values, idPath: choose.id };
  const current = entryOf(entries, rule, fixedConfig) ?? entryOf(entries, rule, existing?.connectionConfig ?? {});
  if (current !== undefined) return current.content;
  if (second !== undefined && choice?.canAsk) throw new ChoiceNeeded(entries.map(({ id, label }) => ({ id, label })));
  return first.content;
}

function entriesOf(response: unknown, { list, id: idPath, label: labelPath }: Rule): readonly Entry[] {
  const found = list === '$' ? response : valueAt(response, list);
  const entries = (Array.isArray(found) ? found : []).slice(0, MAX_ENTRIES).flatMap((content: unknown): Entry[] => {
    const [id, label] = [safeText(content, idPath), safeText(content, labelPath)];
    return id === undefined ? [] : [{ id, label: label ?? id, content }];
  });
  return [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed();
}

function safeText(content: unknown, path: string): string | undefined {
  const text = textAt(content, path);
  return text !== undefined && text.length <= MAX_TEXT && !CONTROL.test(text) ? text : undefined;
}

/** Finds an entry by its ID or by one of its values; an address also matches by its origin alone. */
function entryNamed(entries: readonly Entry[], values: Discovery['values'], named: string): Entry | undefined {
  const textsOf = ({ id, content }: Entry) => [id, ...Object.values(values).map((path) => textAt(content, path))];
  const origin = URL.parse(named)?.origin;
  return (
    entries.find((entry) => textsOf(entry).includes(named)) ??
    entries.find((entry) => origin !== undefined && textsOf(entry).some((text = '') => URL.parse(text)?.origin === origin))
  );
}

/** Finds the entry that a configuration was read from: by its ID if that is stored, since everything else may change. */
function entryOf(
  entries: readonly Entry[],
  { values, idPath }: { readonly values: Discovery['values']; readonly idPath: string },
  config: JsonObject,
): Entry | undefined {
  const kept = Object.entries(values).filter(([name]) => Object.hasOwn(config, name));
  const decisive = kept.filter(([, path]) => path === idPath);
  const compared = decisive.length > 0 ? decisive : kept;
  if (compared.length === 0) return undefined;
  return entries.find(({ content }) => compared.every(([name, path]) => textAt(content, path) === config[name]));
}

function known(entry: Entry | undefined): Entry {
  if (entry !== undefined) return entry;
  throw refusal('this account has no access to what was chosen');
}

/** Returns an error with a message for the user. */
function refusal(message: string): ServiceError {
  const cause = new PluginError('invalid_connection_config', message);
  return new ServiceError('connection_test_failed', message, { cause });
}
