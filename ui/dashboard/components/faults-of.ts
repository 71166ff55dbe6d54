import type { WireFault } from '../../kit/wire.ts';
import { sentence } from './sentence.ts';

/**
 * Returns the service's messages by form field; the service names fields by their paths in the body. Several messages for one
 * field are joined.
 */
export function faultsOf(faults: readonly WireFault[], names: readonly string[]): Readonly<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const { path, message } of faults) {
    const name = fieldOf(path, names);
    if (name !== undefined) said[name] = [said[name], sentence(message)].filter(Boolean).join(' ');
  }
  return said;
}

/** Finds the field by the whole path, such as `credentials.client_id`, or by the first part of the path. */
function fieldOf(path: WireFault['path'], names: readonly string[]): string | undefined {
  return [path.join('.'), String(path[0])].find((name) => names.includes(name));
}
