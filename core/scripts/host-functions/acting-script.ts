import { actAs } from '../../journal/operation-log/actor.ts';
import type { ScriptEvent } from '../event.ts';
import type { RunSubject } from '../subject.ts';
import type { HostFunctions } from './unwritten-metadata.ts';

/** Returns the functions so that whatever they do is recorded as done by the script. */
export function asScript(event: ScriptEvent, { integration }: RunSubject, functions: HostFunctions): HostFunctions {
  const actor = { kind: 'script', id: `${integration.uniqueKey}/${event}`, name: event } as const;
  const acting = Object.entries(functions).map(([name, call]): [string, typeof call] => [
    name,
    (args, signal) => actAs(actor, () => call(args, signal)),
  ]);
  return Object.fromEntries(acting);
}
