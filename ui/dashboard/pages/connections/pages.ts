export { Connections } from './connections.tsx';
