/** Screens that need more than a list of names: loaded beside the session, so that the window comes sooner. */
export { Choice } from './choice.tsx';
export { Failed, Success } from './outcome.tsx';
export { Ended, NotAllowed, Nothing } from './over.tsx';
export { Start } from './start.tsx';
export { Busy, Waiting } from './waiting.tsx';
