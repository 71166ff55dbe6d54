/** How good or bad a state is, independent of its name. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle';
