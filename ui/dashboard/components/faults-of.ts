import type { WireFault } from '../../kit/wire.ts';
import { sentence } from './sentence.ts';

/** What the service says of the fields of a form, all of it: it names each by its path in the body. */
export function faultsOf(faults: readonly WireFault[], names: readonly string[]): Readonly<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const { path, message } of faults) {
    const name = fieldOf(path, names);
    if (name !== undefined) said[name] = [said[name], sentence(message)].filter(Boolean).join(' ');
  }
  return said;
}

/** By the whole path, such as `credentials.client_id`, or by its first member. */
function fieldOf(path: WireFault['path'], names: readonly string[]): string | undefined {
  return [path.join('.'), String(path[0])].find((name) => names.includes(name));
}
