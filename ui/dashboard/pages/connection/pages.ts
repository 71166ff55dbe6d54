export { Connection } from './connection.tsx';
