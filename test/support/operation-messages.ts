interface Message {
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Returns an operation's log messages, except those about the outbound calls that it made. */
export function withoutCalls<M extends Message>(messages: readonly M[]): M[] {
  return messages.filter(({ facts }) => !Object.hasOwn(facts, 'call'));
}
