export { AddConnection } from './add-connection.tsx';
export { Connections } from './connections.tsx';
