import type { World } from './world.ts';

/** Returns the numbers of the provider's webhooks that have reached the application. */
export function forwarded({ application }: World): ReadonlySet<number> {
  const numbers = bodies(application).flatMap(({ payload }) => (payload === undefined ? [] : [payload.number]));
  return new Set(numbers);
}

/** Returns the IDs of the connections of whose creation the application has learnt. */
export function reportedCreations({ application }: World): ReadonlySet<string> {
  const created = bodies(application).filter(({ operation }) => operation === 'creation');
  return new Set(created.map(({ connectionId }) => connectionId));
}

function bodies(application: World['application']) {
  const answered = application.ledger.entries.filter(({ outcome }) => outcome === 'answered');
  return answered.map(({ body }) => JSON.parse(body.toString()));
}

/** Returns the IDs of the connections of which the provider has received a refresh token twice. */
export function refreshedTwice({ provider, grants }: World): ReadonlySet<string> {
  const connectionOf = new Map([...grants].map(([connectionId, family]) => [family, connectionId]));
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { presented } of provider.ledger.of('token')) {
    if (presented?.kind !== 'refresh') continue;
    const token = `${presented.family}/${presented.generation}`;
    if (seen.has(token)) twice.add(connectionOf.get(presented.family) ?? token);
    seen.add(token);
  }
  return twice;
}

/** Returns the IDs of the connections whose refresh token the provider has received since a time. */
export function refreshedSince({ provider, grants }: World, since: Date): ReadonlySet<string> {
  const calls = provider.ledger.of('token').filter(({ at }) => at >= since);
  const families = new Set(calls.map(({ presented }) => presented?.family));
  return new Set([...grants].filter(([, family]) => families.has(family)).map(([connectionId]) => connectionId));
}

export function refreshCalls({ provider }: World): number {
  return provider.ledger.of('token').filter(({ presented }) => presented?.kind === 'refresh').length;
}

/** Returns the elements of a set, or the keys of a map, that another set lacks. */
export function missingIn<T>(expected: Pick<ReadonlySet<T>, 'keys'>, found: ReadonlySet<T>): readonly T[] {
  return [...expected.keys()].filter((one) => !found.has(one));
}
