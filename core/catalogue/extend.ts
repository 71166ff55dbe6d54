import { isObject } from '#contract';
import type { Fault } from './folders.ts';
import { faultOf, type ProviderFile } from './provider-file.ts';

/** Longer chains are a mistake, and would cost every start. */
const MAX_BASES = 5;
/** What a base says of itself alone. */
const OWN = ['$schema', 'extends'];

/**
 * A definition laid over the one that its `extends` names, and that over its own base: objects member by member, lists and
 * texts as a whole; `null` removes a member.
 */
export function extended(file: ProviderFile, files: ReadonlyMap<string, ProviderFile>): { readonly value: unknown } | Fault {
  const layers: unknown[] = [];
  const seen = new Set<string>();
  let current = file;
  for (;;) {
    layers.unshift(current === file ? current.value : withoutOwn(current.value));
    seen.add(current.folder.name);
    const base = baseOf(current.value);
    if (base === undefined) break;
    const next = files.get(base);
    const reason = whyNot(base, { isKnown: next !== undefined, isSeen: seen.has(base), depth: seen.size });
    if (reason !== undefined || next === undefined) return faultOf(file.folder, reason ?? '', file.lineOf(['extends']));
    current = next;
  }
  return { value: layers.length === 1 ? file.value : layers.reduce(overlay) };
}

function whyNot(
  base: string,
  { isKnown, isSeen, depth }: { isKnown: boolean; isSeen: boolean; depth: number },
): string | undefined {
  if (isSeen) return `extends: "${base}" leads back to itself`;
  if (!isKnown) return `extends: there is no provider "${base}"`;
  return depth > MAX_BASES ? `extends: more than ${MAX_BASES} bases` : undefined;
}

/** The slug; the definition's own check says what else is wrong with it. */
function baseOf(value: unknown): string | undefined {
  const base = isObject(value) && Object.hasOwn(value, 'extends') ? value['extends'] : undefined;
  return typeof base === 'string' ? base : undefined;
}

function withoutOwn(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !OWN.includes(name))) : value;
}

function overlay(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [name, value] of Object.entries(over)) {
    if (value === null) merged.delete(name);
    else merged.set(name, overlay(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
