export { Logs } from './logs.tsx';
export { Operation } from './operation.tsx';
