/** The kinds of calls in a mixed load, with their shares. The last kind also runs a script. */
export const SHARES = {
  'proxied GET': 37,
  'proxied POST': 16,
  'connection read': 18,
  'forced refresh': 4,
  'connect session': 8,
  'provider webhook': 16,
  import: 1,
} as const;

export type Kind = keyof typeof SHARES;

/** A call that has ended. Times are those of `performance.now`. */
export interface Call {
  readonly kind: Kind;
  readonly number: number;
  readonly begunAt: number;
  readonly endedAt: number;
  /** The status of the response, or the code of the error if there was none. */
  readonly outcome: number | string;
  /** The beginning of the body of a response that reports an error. */
  readonly body: string;
}

export const isFailed = ({ outcome }: Call) => typeof outcome === 'string' || outcome >= 300;

const DESCRIBED = 20;

/** Describes the first calls in one line each, so that a failed assertion says what happened. */
export function describeCalls(calls: readonly Call[]): readonly string[] {
  return calls.slice(0, DESCRIBED).map(({ kind, number, begunAt, endedAt, outcome, body }) => {
    const times = `${(begunAt / 1_000).toFixed(3)} to ${(endedAt / 1_000).toFixed(3)} s`;
    return `${kind} ${number}: ${outcome}, ${times} ${body}`;
  });
}
