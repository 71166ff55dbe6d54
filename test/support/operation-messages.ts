interface Message {
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Returns the messages of an operation except those about the calls that it made. */
export function withoutCalls<M extends Message>(messages: readonly M[]): M[] {
  return messages.filter(({ facts }) => !Object.hasOwn(facts, 'call'));
}
