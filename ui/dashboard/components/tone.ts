/** How good or bad a state is, independent of its name. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle';

/** The tones of a connection's states. */
export const STATE_TONES = { healthy: 'ok', degraded: 'warn', needs_reauth: 'bad', pending: 'idle' } as const satisfies Readonly<
  Record<string, Tone>
>;
/** The states of a connection, in the order in which they are shown. */
export const STATES = Object.keys(STATE_TONES) as readonly (keyof typeof STATE_TONES)[];
