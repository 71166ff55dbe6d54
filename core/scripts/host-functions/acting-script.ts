import { actAs } from '../../journal/operation-log/actor.ts';
import { currentSpan, within } from '../../kit/tracing.ts';
import type { ScriptEvent } from '../event.ts';
import type { RunSubject } from '../subject.ts';
import type { HostFunctions } from './unwritten-metadata.ts';

/** Returns the functions so that whatever they do is recorded as done by the script, in the span of its run. */
export function asScript(event: ScriptEvent, { integration }: RunSubject, functions: HostFunctions): HostFunctions {
  const actor = { kind: 'script', id: `${integration.uniqueKey}/${event}`, name: event } as const;
  // Determined now: messages of the script's process do not arrive in the context of the run.
  const span = currentSpan();
  const acting = Object.entries(functions).map(([name, call]): [string, typeof call] => [
    name,
    (args, signal) => within(span, () => actAs(actor, () => call(args, signal))),
  ]);
  return Object.fromEntries(acting);
}
