export { Script } from './script.tsx';
export { Scripts } from './scripts.tsx';
