/** How a state is judged, whatever its name is. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle';
