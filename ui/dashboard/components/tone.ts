/** What a state means, whatever it is called. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle';
