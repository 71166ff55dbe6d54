interface Message {
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What an operation says, without the calls that it made on the way. */
export function withoutCalls<M extends Message>(messages: readonly M[]): M[] {
  return messages.filter(({ facts }) => !Object.hasOwn(facts, 'call'));
}
