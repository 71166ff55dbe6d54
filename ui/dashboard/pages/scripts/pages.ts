export { NewScript } from './new-script.tsx';
export { Script } from './script.tsx';
export { Scripts } from './scripts.tsx';
