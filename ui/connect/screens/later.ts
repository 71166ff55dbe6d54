/**
 * Screens that need more than a list of names. They are loaded after the first screen, so that the first screen appears sooner.
 */
export { faultsIn, payloadOf } from '../../kit/fields/form-rules.ts';
export { Choice } from './choice.tsx';
export { Discard } from './discard.tsx';
export { Failed, Success } from './outcome.tsx';
export { Ended, NotAllowed, Nothing } from './over.tsx';
export { Start } from './start.tsx';
export { Busy, Waiting } from './waiting.tsx';
