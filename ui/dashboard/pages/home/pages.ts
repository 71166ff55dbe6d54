export { Beginning } from './beginning.tsx';
export { Home } from './home.tsx';
